// Two-seat Pig through OpenSpiel's C++ core, both seats holding at 20: games in a given time, on one thread.
//
// Built against the headers that the pip package ships and linked with its shared object; see openspiel_cpp.py.
// The dice come from the chance outcomes that the state names, as OpenSpiel's own examples draw them. The state does
// not tell the turn total, so it is kept here.
//
//     openspiel_cpp SECONDS SEED      prints one line: games rolls first_wins seconds

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "open_spiel/games/pig/pig.h"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_utils.h"

namespace {

constexpr open_spiel::Action kRoll = 0;
constexpr open_spiel::Action kStop = 1;
constexpr int kHold = 20;
constexpr int kGoal = 100;

struct Tally {
  int64_t games = 0;
  int64_t rolls = 0;
  int64_t first_wins = 0;
};

void Play(const open_spiel::Game& game, std::mt19937& rng, Tally& tally) {
  std::unique_ptr<open_spiel::State> state = game.NewInitialState();
  const auto& pig = static_cast<const open_spiel::pig::PigState&>(*state);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  int total = 0;
  while (!state->IsTerminal()) {
    if (state->IsChanceNode()) {
      const open_spiel::Action face =
          open_spiel::SampleAction(state->ChanceOutcomes(), uniform(rng)).first;
      state->ApplyAction(face);
      total = face == 0 ? 0 : total + static_cast<int>(face) + 1;
      ++tally.rolls;
    } else if (total >= kHold || pig.score(state->CurrentPlayer()) + total >= kGoal) {
      state->ApplyAction(kStop);
      total = 0;
    } else {
      state->ApplyAction(kRoll);
    }
  }
  ++tally.games;
  tally.first_wins += state->Returns()[0] > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: openspiel_cpp SECONDS SEED\n");
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> limit(std::atof(argv[1]));
  std::mt19937 rng(std::atoi(argv[2]));
  const auto game = open_spiel::LoadGame(
      "pig", {{"players", open_spiel::GameParameter(2)}, {"winscore", open_spiel::GameParameter(kGoal)}});

  Tally tally;
  std::chrono::duration<double> spent{};
  // Half a second of warm-up, not counted; then what was asked for.
  for (const auto span : {std::chrono::duration<double>(0.5), limit}) {
    tally = Tally();
    const auto start = Clock::now();
    do {
      for (int i = 0; i < 200; ++i) Play(*game, rng, tally);
      spent = Clock::now() - start;
    } while (spent < span);
  }
  std::printf("%lld %lld %lld %.9f\n", static_cast<long long>(tally.games), static_cast<long long>(tally.rolls),
              static_cast<long long>(tally.first_wins), spent.count());
}
