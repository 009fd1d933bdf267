//! Small games with what the gallery's six do not have.

pub(crate) const TEXTS: [(&str, &str); 22] = [
    (
        "what dice show is kept apart from the dice",
        "game keep \"x\"
die calm = 3 of gold, 2 of smoke, 1 of fire
die wild = 1 of gold, 2 of smoke, 3 of fire
die d = 1..4
bag lair = 3 of calm, 2 of wild
bag faces = 5 of gold, 5 of smoke, 5 of fire
bag numbers = 4 of 1..4
shared total = 0 in 0..2000
turn
  let pool = lair in lair
  let held = none in lair
  let kept = none in faces
  let set = none in numbers
  let left = 3 in 0..3
  repeat while size(pool) > 0
    roll shown = pool
    ask keep in parts(shown) where size(keep) < 3
    kept += keep
    held += dice(keep)
    pool -= dice(keep)
    total += 3 * count(kept, gold) + size(held) + 2 * count(held, wild) - count(kept, fire)
    if held == lair: total += 7
    if kept == shown: total += 5
  repeat while left > 0
    roll rolled = left d
    ask put in parts(rolled)
    set += put
    left -= size(put)
  total += sum(set) + alike(set)
end after 4 turns
alone most total
",
    ),
    (
        "many dice in groups",
        "game many \"x\"
die d = 1..6
die e = star, 2 of moon
shared total = 0 in 0..1000
turn
  let n = 1 in 1..9
  repeat
    roll a = n d, b = n e
    total += sum(a) + count(b, star) + alike(a) + distinct(a) + run(a) + highest(a) - lowest(a)
    if total > 400: end game full
    n = n == 9 ? 9 : n + 1
    ask stop
      end turn
end full \"enough\"
end after 6 turns
alone most total
",
    ),
    (
        "single dice of a pack",
        "game peak \"x\"
die rope = 1, 2, storm
die axe = 2 of 3, 2 of storm
bag kit = 2 of rope, axe
shared total = 0 in 0..1000
turn
  let pack = kit in kit
  repeat
    ask one in pack
    else: break
    pack -= one
    roll shown = one
    if count(shown, storm) > 0: bust
    total += sum(shown)
    draw more from pack
    else: break
    roll face = more
    total += 10 * sum(face) + size(pack)
end after 4 turns
alone most total
",
    ),
    (
        "lots",
        "game lots \"x\"
option players = 3 in 1..3
die d = 1..3
player best = 0 in 0..3
turn
  roll face = d
  if face > best: best = face
  roll lucky = chance(1, 4)
  if lucky: count luck by best
end after 2 rounds
win most best
tie by lot
alone most best
report luck times
report best_of_all = max(p in everyone: p.best)
",
    ),
    (
        "draws",
        "game draws \"x\"
option players = 2 in 1..2
bag deck = 3 of red, 2 of blue, 1 of black
player kept = 0 in 0..40
turn
  let cards = deck in deck
  repeat
    draw card from cards
    else: end turn
    if card == black: bust
    kept += card == red ? 1 : 2
    draw two = 2 from cards
    kept += size(two) + count(two, blue)
    ask stop
      end turn
end when kept >= 25, after one more turn for the others
win most kept, least kept % 2
tie nobody
alone least turns
",
    ),
    (
        "cards of a suit and a rank",
        "game cards \"x\"
option players = 2 in 1..2
names suit = hearts, clubs, spades
names rank = low, mid, high
names card = suit * rank
bag all = card
player best[suit] = none in rank
player total = 0 in 0..200 points
turn
  let deck = all in all
  repeat while size(deck) > 3
    draw next from deck
    let twin = next.suit * best[next.suit] in card
    if twin == none: total += place(next.rank)
    else if count(deck, twin) > 0: total += place(twin) + place(next.suit * high) % 4
    else: bust
    if place(best[next.suit]) < place(next.rank): best[next.suit] = next.rank
    ask swap in rank where count(deck, next.suit * swap) > 0
    else: again
    deck -= next.suit * swap
    roll lucky = chance(place(swap), size(deck) + 3)
    if lucky: end turn
end when total >= 30
win most total
alone least turns
",
    ),
    (
        "ranges are left",
        "game ranges \"x\"
die d = 1..6
shared list[1..4] = 0 in 0..9
turn
  roll face = d
  list[face] += 3
  ask place in 1..4 where list[place] < 9
  else: end game full
  list[place] += 12 / (face - 1)
end full \"everything is full\"
alone most sum(i in 1..4: list[i])
",
    ),
    (
        "boxes",
        "game boxes \"x\"
option boxes = 8 in 3..9
die d = 1..6
shared open[1..boxes] = yes
define left = those(n in 1..boxes where open[n])
turn
  repeat
    roll dice = 2 d
    ask shut in parts(left) where sum(shut) == sum(dice)
    else: end game stuck
    for n in shut: open[n] = no
    if size(left) == 0: end game shut_all
end stuck \"nothing fits\"
end shut_all \"all are shut\"
alone least sum(left)
",
    ),
    (
        "a round, secret answers",
        "game secret \"x\"
option players = 3 in 2..3
names side = left, right
player side_of = none in side
player points = 0 in 0..20
round
  let pool = round in 1..9
  ask all in_it of p in everyone where p.points < 6 \"whether to join\"
  for p in everyone where p.in_it
    ask way of p in side
    p.side_of = way
    p.points += place(way) == 1 ? 1 : number(3) + min(q in everyone where q.in_it: q.points)
  for i in 1..pool where i % 2 == 1
    if i > 3: break
    for p in everyone where p.points > 0 and any(q in everyone where q.points > p.points): p.points -= 1
end done when points >= 8
end after 7 rounds
win most points
",
    ),
    (
        "numbers, names and players chosen at once",
        "game at_once \"x\"
option players = 3 in 2..4
option top = 3 in 2..4
die d = 1..3
names side = left, right, middle
player has[n in 1..top] = yes
player coins = 3 in 0..9
player points = 0 in 0..40
player side_of = none in side
round
  let bid[everyone] = 0 in 0..9
  ask all bid of p in everyone where p.coins > 0 from 0..p.coins \"bid\"
  ask all card of p in everyone from 1..top where p.has[card] and (card != 2 or p.coins > 0 or not p.has[1])
  ask all way of p in everyone where p.bid != 1 from side where way != p.side_of
  ask all target of p in everyone where p.points < 9 from everyone where target != p
  let best = max(p in everyone: p.bid)
  for p in everyone
    p.coins -= p.bid
    p.has[p.card] = no
    if p.way != none: p.side_of = p.way
    if p.bid == best and p.card > 1: p.points += p.card + place(p.way)
    if p.target != none and p.target.bid < p.bid: p.target.points = max(p.target.points - 1, 0)
  roll face = d
  for p in everyone where p.coins < 7: p.coins += face
end done when all(n in 1..top: not has[n])
win most points
",
    ),
    (
        "those who are tied play further rounds",
        "game further \"x\"
option players = 3 in 2..4
die d = 1..3
player points = 0 in 0..200
round
  for p in everyone
    roll face = d by p
    if face == 1: count busts of p
    p.points += face + (round > 2 ? 1 : 0)
end after 2 rounds
win most points
tie play on
report last = round
",
    ),
    (
        "those who are tied play further turns, busts count once",
        "game again_and_again \"x\"
option players = 3 in 1..4
die d = 1..4
player points = 0 in 0..200
turn
  repeat
    roll face = d
    if face < 3: count busts
    if face == 1: bust
    points += face
    ask stop
      end turn
end far when points >= 6
end after 3 rounds
win most points
tie play on
alone most points
",
    ),
    (
        "a roll is set again",
        "game again_set \"x\"
die d = 1..6
die e = 4..9
shared points = 0 in 0..400
turn
  roll face = d
  roll dice = 2 d
  if face == 1
    roll face = e
    roll dice = 5 d
  points += face + sum(dice)
  if face > 7
    roll dice = face - 1 d
    points += alike(dice)
end after 4 turns
alone most points
",
    ),
    (
        "a captain, and all from the captain on",
        "game captains \"x\"
option players = 3 in 1..4
die d = 1..4
player points = 0 in 0..90
shared captain = nth(everyone, 1) in everyone
shared best = nth(everyone, players)
round
  let on[everyone] = yes
  roll face = d by captain
  for n in 0..players - 1
    let p = nth(everyone, (place(captain) - 1 + n) % players + 1)
    ask leave of p
      p.points += face + (p == captain ? n : 2 * n)
      p.on = no
    if p.points > best.points: best = p
  if face == 1 and captain != best: captain = best
  else: captain = nth(everyone, place(captain) % players + 1)
  if captain.on: captain.points += place(best)
end far when points >= 20
end after 5 rounds
win most points
alone most points
see seat = place(me)
see captains = place(captain)
see leads = best == me
",
    ),
    (
        "the dealer of a turn",
        "game dealers \"x\"
option players = 2 in 1..3
die d = 1..3
player points = 0 in 0..90
shared dealer = nth(everyone, 1)
turn
  let first = dealer
  repeat
    roll face = d by dealer
    if face == 1 and dealer == me: bust
    points += face + (first == dealer ? 1 : 0)
    dealer = nth(everyone, place(dealer) % players + 1)
    ask stop: end turn
end after 2 rounds
win most points
alone most points
see deals = place(dealer)
see mine = dealer == me
",
    ),
    (
        "divers who are back at the ship",
        "game dive \"x\"
option players = 3 in 1..4
die d = 1..3
shared air = 20 in 0..20
player gold = 0 in 0..20
player back = no
turn where not back
  air -= min(air, 1 + gold / 3)
  if air == 0: end game drowned
  roll found = d
  gold = min(gold + found, 20)
  ask leave: back = yes
end rich when gold >= 7, after one more turn for the others
end last when one is left
end drowned \"the air was gone\"
win most (back ? gold : 0)
alone most (back ? gold : 0)
report back_at = round
",
    ),
    (
        "who plays next, and wild dice",
        "game wild \"x\"
option players = 3 in 2..4
die d = 1..3, sun
worth d
  1: 1
  a a: 2 * a
  1 2 3: 9
  sun: wild
player points = 0 in 0..60
shared back = no
setup
  roll first = d
  back = first == sun
turn where points < 40
  roll dice = 3 d
  points += worth(dice)
  ask keep in parts(dice) where worth(keep) > 0
  else: end turn, then me
  points += worth(keep)
  if worth(dice) > 6: back = not back
  if worth(dice) == 9 and size(keep) == 1: end game straight won by me
  if count(dice, sun) == 3: end game suns lost by nth(everyone, 1)
  if back: end turn, then nth(everyone, (place(me) + players - 2) % players + 1)
end full after 9 turns
end straight \"a straight\"
end suns \"three suns\"
win most points
tie by lot
",
    ),
    (
        "cards that are dealt before the first round",
        "game dealt \"x\"
option players = 3 in 1..4
bag pack = 2 of 1..4
player card = 0 in 0..4
player lost = 0 in 0..9
setup
  let deck = pack in pack
  for p in everyone
    draw two = 2 from deck by p
    ask keep of p in two
    p.card = keep
round
  ask all in_it of p in everyone where p.lost < 2
  for p in everyone where p.in_it
    if p.card < max(q in everyone: q.card): p.lost += 1
  if count(p in everyone where p.lost > 1) == players - 1: end game over_all lost by nth(everyone, 1)
end over_all \"x\"
end after 3 rounds
win most card, least lost
tie play on
alone most card
",
    ),
    (
        "players who may be none",
        "game rivals \"x\"
option players = 3 in 1..4
die d = 1..3
player hits = 0 in 0..9
player rival = none in everyone
shared leads = none in everyone
turn
  let foe = rival == none ? leads : rival
  roll face = d
  if rival != none and rival.hits > hits: hits += 1
  if face == 1: rival = none
  else if face == 2: rival = nth(everyone, place(me) % players + 1)
  ask risk where foe != none
    roll other = d by foe
    foe.hits += other == 3 and foe.hits < 9 ? 1 : 0
  hits += face == 3 and hits < 9 ? 1 : 0
  if leads == none or hits > leads.hits: leads = me
  if place(leads) == 2 and face == 1: leads = rival
  if face == 3 and hits == 2: rival.hits = 0
end after 3 rounds
win most hits
alone most hits
report rivals = place(rival)
see has_rival = rival != none
see leader = place(leads)
",
    ),
    (
        "a row that is read from before its beginning",
        "game neg \"x\"
die d = 1..6
shared row[n in 0..12] = no
player score = 0 in 0..400 points
setup
  row[4] = yes
  row[6] = yes
  row[7] = yes
turn
  let g = 0 in 0..200 points
  let x = 0 in -3..3
  repeat
    roll face = d
    if face == 1: bust
    x = face - 5
    row[face] = not row[face]
    roll other = d
    if any(i in 3..8: row[x + i]): g += 3
    ask stop
      break
  score += g
end goal when score >= 60
alone least turns
",
    ),
    (
        "a row that moves along",
        "game lamps \"x\"
die d = 1..6
player score = 0 in 0..9 points
shared lamp[n in 0..8] = no
turn
  roll face = d
  for n in 0..7: lamp[n] = lamp[n + 1]
  lamp[8] = face > 3
  if not any(n in 0..7 where lamp[n]): score += 1
end after 4 turns
alone most score
",
    ),
    (
        "what is worked out once and used again",
        "game neg \"x\"
die d = 1..6
shared flag[n in 0..19] = no
shared one[n in 0..19] = no
shared two[n in 0..19] = no
player score = 0 in 0..800 points
turn
  let g = 0 in 0..800 points
  let x = 0 in -3..3
  repeat
    roll face = d
    if face == 1: bust
    x = face - 5
    flag[face] = not flag[face]
    one[face + 3] = not one[face + 3]
    two[face + 5] = not two[face + 5]
    roll other = d
    let near = any(i in 0..9: flag[face + i])
    if near
      g = min(g + 1, 700)
    g = min(g + (near or other == 2 ? 3 : 0) + max(count(i in 0..19: one[i]), count(i in 0..19: two[i])), 700)
    ask stop
      break
  score += g
end goal when score >= 600
alone least turns
",
    ),
];
