"""The page of `serve`: wrong hosts, origins, tokens and paths, huge and slow questions, clients that go, hundreds of connections."""

import json
import os
import re
import signal
import socket
import subprocess
import time

import program

# What is asked of a page in which nothing may be written but what is saved.
SETTING = {"game": "pig", "policies": [{"name": "hold"}]}


class Page:
    """A page that is served in the folder of the case."""

    def __init__(self, harness, *words):
        self.folder = harness.folder / "here"
        self.folder.mkdir(exist_ok=True)
        (harness.folder / "outside.toml").write_text("secret")
        (self.folder / "link.toml").unlink(missing_ok=True)
        os.symlink(harness.folder / "outside.toml", self.folder / "link.toml")
        (self.folder / "mine.toml").write_text('game = "pig"\nname = "mine"\nstop = "turn_total >= 9"\n')
        self.process = subprocess.Popen([harness.binary, "serve", "--port", "0", *words], cwd=self.folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://(127\.0\.0\.1):(\d+)/([0-9a-f]{32})/", self.address)
        harness.check(found is not None, f"the address is {self.address!r}")
        self.host, self.port, self.token = found[1], int(found[2]), found[3]
        harness.runs[harness.kind] += 1

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=20)

    def say(self, data):
        """What comes for these bytes, until the connection is closed."""
        heard = b""
        with self.connect() as line:
            try:
                line.sendall(data)
                while part := line.recv(1 << 16):
                    heard += part
            except OSError:
                pass
        return heard

    def question(self, name, value, headers=(), **replaced):
        """A question as bytes."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        lines = {"host": f"{self.host}:{self.port}", "content-type": "application/json", "connection": "close",
                 "content-length": str(len(body)), **{key.replace("_", "-"): value for key, value in replaced.items()}}
        head = [f"POST /{self.token}/ask/{name} HTTP/1.1"] + [f"{key}: {value}" for key, value in lines.items() if value is not None]
        return "\r\n".join([*head, *headers, "", ""]).encode() + body

    def ask(self, name, value, **replaced):
        """Status and content of an answer."""
        heard = self.say(self.question(name, value, **replaced))
        head, _, body = heard.partition(b"\r\n\r\n")
        status = head.split(b" ")[1:2]
        return int(status[0]) if status and status[0].isdigit() else 0, body

    def memory(self):
        """Megabytes that it takes."""
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read())[1]) / 1024

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def end(self, harness):
        """Ctrl-C ends it in order, soon."""
        harness.check(self.process.poll() is None, f"it has ended with {self.process.returncode}")
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        took = time.monotonic() - begun
        harness.latest = max(harness.latest, (took, "serve"))
        harness.check(code == 130 and took < 2.2, f"Ctrl-C: exit code {code} after {took:.1f} s")


def case(harness, dice, number):
    kinds = (strangers, names, nonsense, huge, leaving, crowd, slow)
    # The last takes half a minute.
    kinds[number % (len(kinds) - (1 if harness.is_short else 0))](harness, dice)


def good(harness, page, when):
    """It still answers."""
    status, body = page.ask("picture", {"setting": SETTING, "trials": 1000})
    harness.check(status == 200 and b'"trials":1000' in body, f"{when}: status {status}")


def strangers(harness, dice):
    """Who is not the page itself gets nothing, whatever else is right."""
    page = Page(harness)
    asked = {"setting": SETTING, "trials": 100}
    hosts = ["evil.example", f"evil.example:{page.port}", f"127.0.0.1:{page.port + 1}", f"localhost.evil.example:{page.port}",
             f"127.0.0.1:{page.port}@evil.example", f"evil.example#127.0.0.1:{page.port}", f"10.0.0.1:{page.port}", "", None,
             f"2130706433:{page.port}", f"0x7f.1:{page.port}", f"127.0.0.1.:{page.port}"]
    for host in hosts:
        status, body = page.ask("picture", asked, host=host)
        harness.check(status in (400, 403) and b"charts" not in body, f"host {host!r}: status {status}")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{page.port}", f"http://127.0.0.1:{page.port}.evil.example",
                   f"http://127.0.0.1:{page.port}/", "file://", f"http://localhost:{page.port}"):
        status, _ = page.ask("picture", asked, origin=origin)
        harness.check(status == 403, f"origin {origin!r}: status {status}")
    for site in ("cross-site", "same-site", "none", "x"):
        harness.check(page.ask("picture", asked, sec_fetch_site=site)[0] == 403, f"site {site}")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        harness.check(page.ask("picture", asked, content_type=kind)[0] == 415, f"kind {kind}")
    token, page.token = page.token, "".join(dice.choice("0123456789abcdef") for _ in range(32))
    harness.check(page.ask("picture", asked)[0] == 404, "another token")
    for wrong in (token[:-1], token + "0", token.upper() + "x", "", "%2e%2e", token.replace(token[0], "%" + token[0].encode().hex(), 1)):
        page.token = wrong
        harness.check(page.ask("picture", asked)[0] in (400, 404), f"token {wrong!r}")
    page.token = token
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "HEAD", "post", "\u0000"):
        heard = page.say(page.question("picture", asked).replace(b"POST", method.encode(), 1))
        harness.check(not heard.startswith(b"HTTP/1.1 200") and b"charts" not in heard, f"method {method}")
    good(harness, page, "after strangers")
    page.end(harness)


def names(harness, dice):
    """No name reads or writes anything outside the folder."""
    page = Page(harness)
    outside = harness.folder / "outside.toml"
    places = ["../outside.toml", "link.toml", str(outside), "./../outside.toml", "here/../../outside.toml", "/etc/passwd", "..", ".",
              "~/x.toml", "x/../../outside.toml", "..\\outside.toml", "file:///etc/passwd", "mine.toml/../../outside.toml",
              "\u0000.toml", "a\u0000/../outside.toml", "/proc/self/environ", "/dev/stdin", "con.toml", "-p.toml", "a" * 5000 + ".toml"]
    before = sorted(path.name for path in page.folder.iterdir())
    for place in places:
        for key in ("game", "rules", "policy"):
            setting = json.loads(json.dumps(SETTING))
            if key == "policy":
                setting["policies"] = [{"name": place}]
            else:
                setting[key] = place
            for question in ("picture", "ranking", "game", "keep", *(("held",) if key != "policy" else ())):
                status, body = page.ask(question, {"setting": setting, "trials": 10, "what": key})
                harness.check(status in (400, 422) or question == "game" and status == 200, f"{question} {key} {place!r}: status {status}")
                harness.check(b"secret" not in body and b"root:" not in body, f"{question} {key} {place!r}: tells what is outside")
        for replace in (False, True):
            status, _ = page.ask("save", {"name": place, "text": "x", "replace": replace})
            harness.check(status == 422, f"save {place!r}: status {status}")
        path = f"GET /{page.token}/{place} HTTP/1.1\r\nhost: {page.host}:{page.port}\r\nconnection: close\r\n\r\n"
        heard = page.say(path.encode())
        harness.check(b"secret" not in heard and b"root:" not in heard, f"GET {place!r}")
    harness.check(outside.read_text() == "secret", "what is outside was changed")
    harness.check(sorted(path.name for path in page.folder.iterdir()) == before, "something was written")
    harness.check(sorted(os.listdir(harness.folder)) == ["here", "outside.toml"], "something was written outside")
    harness.check(page.ask("save", {"name": "mine.toml", "text": "x"})[0] == 412, "a file was replaced unasked")
    harness.check(page.ask("save", {"name": f"new {dice.random()}.toml", "text": "x"})[0] == 200, "nothing can be saved")
    page.end(harness)


def nonsense(harness, dice):
    """Questions that are none, in every form, are refused; nothing breaks."""
    page = Page(harness)
    values = [None, 1, -1, 1e308, "x", "", [], {}, True, "pig", [1, 2], {"a": 1}, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "9" * 400]
    fields = ("setting", "trials", "seat", "trial", "answers", "whose", "seconds", "before", "a", "b", "name", "text", "kind", "what", "policy", "values", "held", "view")
    for _ in range(30 if harness.is_short else 150):
        question = dice.choice(("games", "files", "game", "picture", "versus", "along", "ranking", "held", "check", "warnings", "report", "keep", "save", "table", "worth", "review", "none"))
        setting = {key: dice.choice(values) for key in ("game", "rules", "set", "policies", "rotate", "metric", "seed", "texts") if dice.random() < 0.4}
        value = {field: dice.choice(values) for field in fields if dice.random() < 0.5}
        if dice.random() < 0.8:
            value |= {"setting": {**SETTING, "rules": "solo", **setting}, "a": SETTING, "b": {**SETTING, **setting}}
        if dice.random() < 0.8:
            value |= {"trials": dice.choice((0, 1, 2, 1000)), "name": "x", "text": "game", "kind": "game", "what": "rules", "values": "1..3",
                      "seat": dice.randrange(3), "trial": dice.randrange(9), "answers": [dice.randrange(3) for _ in range(dice.randrange(9))]}
        body = json.dumps(value).encode()
        if dice.random() < 0.3:
            at = dice.randrange(len(body))
            body = body[:at] + bytes(dice.randrange(256) for _ in range(dice.randrange(9))) + body[at + dice.randrange(9):]
        status, answer = page.ask(question, body)
        harness.check(status in (200, 400, 404, 409, 412, 413, 422), f"{question} {body[:300]!r}: status {status} {answer[:200]!r}")
    for _ in range(50):
        heard = page.say(bytes(dice.randrange(256) for _ in range(dice.randrange(400))) + b"\r\n\r\n")
        harness.check(not heard or heard.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")), f"bytes: {heard[:60]!r}")
    good(harness, page, "after nonsense")
    page.end(harness)


def huge(harness, dice):
    """What is too much is refused before it is read, and nothing of it stays."""
    page = Page(harness)
    good(harness, page, "at first")
    before = page.memory()
    for length in (1 << 20, 1 << 30, 1 << 62, -1):
        heard = page.say(page.question("picture", b"{}", content_length=str(length)) + b" " * (3 << 20))
        harness.check(heard.startswith(b"HTTP/1.1 4") or not heard, f"length {length}: {heard[:40]!r}")
    chunks = page.question("picture", b"", content_length=None, transfer_encoding="chunked") + (b"10000\r\n" + b" " * 65536 + b"\r\n") * 64
    harness.check(page.say(chunks).startswith(b"HTTP/1.1 413"), "chunks without end")
    for headers in ([f"x{at}: y" for at in range(1000)], ["x: " + "y" * (1 << 20)]):
        heard = page.say(page.question("picture", b"{}", headers))
        # Who is still sending may hear nothing.
        harness.check(not heard or heard.startswith(b"HTTP/1.1 431"), f"headers without end: {heard[:40]!r}")
    heard = page.say(b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n\r\n")
    harness.check(heard.startswith((b"HTTP/1.1 4")) or not heard, "an address without end")
    deep = b'{"setting":' + b"[" * 100_000
    harness.check(page.ask("picture", deep)[0] in (400, 422), "brackets without end")
    for trials in (10**9, 2**63):
        page.ask("along", {"setting": SETTING, "name": "n", "policy": 0, "values": "1..100000", "trials": trials})
        page.ask("along", {"setting": SETTING, "name": "goal", "values": ",".join(["0"] * 400_000), "trials": trials})
    many = {"setting": SETTING, "trials": 10, "before": {"names": ["a", "b"], "values": [[at, 1] for at in range(50_000)]}}
    harness.check(page.ask("picture", many)[0] in (200, 400, 413), "a distribution without end")
    great = {"setting": SETTING, "trials": 10, "before": {"names": ["a", "b"], "values": [[4294967295, 2**63], [4294967294, 2**63]]}}
    harness.check(page.ask("picture", great)[0] in (200, 400, 422, 500), "great numbers")
    good(harness, page, "after all that")
    harness.check(page.memory() < before + 200, f"memory: {before:.0f} MB, then {page.memory():.0f}")
    page.end(harness)


def leaving(harness, dice):
    """Clients that go in the middle of anything leave nothing running."""
    page = Page(harness, "--threads", "2")
    question = page.question("picture", {"setting": {"game": "farkle", "policies": [{"name": "bank-at"}]}, "trials": 10_000_000})
    for _ in range(20):
        with page.connect() as line:
            line.sendall(question[: dice.randrange(1, len(question) + 1)] if dice.random() < 0.5 else question)
            time.sleep(dice.random() * 0.05)
            if dice.random() < 0.5:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    good(harness, page, "after clients that went")
    time.sleep(1.0)

    def worked():
        fields = open(f"/proc/{page.process.pid}/stat").read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    before = worked()
    time.sleep(0.5)
    harness.check(worked() - before < 0.2, "it works on although nobody waits")
    # Of many questions of a page the last one is answered.
    lines = []
    for turn in range(1, 31):
        line = page.connect()
        asked = page.question(f"picture?page=p&turn={turn}", {"setting": {"game": "farkle", "policies": [{"name": "bank-at"}]}, "trials": 10_000_000 if turn < 30 else 1000})
        line.sendall(asked)
        lines.append(line)
    heard = []
    for line in lines:
        data = b""
        try:
            while part := line.recv(1 << 16):
                data += part
        except OSError:
            pass
        line.close()
        heard.append(data[9:12])
    harness.check(heard[-1] == b"200" and all(status == b"409" for status in heard[:-1]), f"a page that asks thirty times: {heard}")
    # Ctrl-C while something goes on.
    line = page.connect()
    line.sendall(question)
    time.sleep(0.3)
    page.end(harness)
    line.close()


def crowd(harness, dice):
    """Two hundred connections, and then as many again, and questions on all of them."""
    page = Page(harness, "--threads", "2")
    good(harness, page, "at first")
    idle = [page.connect() for _ in range(200)]
    good(harness, page, "beside two hundred connections")
    question = page.question("picture", {"setting": SETTING, "trials": 20_000})
    for line in idle:
        try:
            line.sendall(question)
        except OSError:
            pass
    answers = []
    for line in idle:
        data = b""
        try:
            while part := line.recv(1 << 16):
                data += part
        except OSError:
            pass
        answers.append(data[9:12])
        line.close()
    harness.check(set(answers) <= {b"200", b"503"} and answers.count(b"200") > 20, f"two hundred questions: {set(answers)}")
    # Four that answer, two that play, and what every process has; those of answers before may be just ending.
    harness.check(page.threads() <= 4 + 2 + 4, f"{page.threads()} threads")
    harness.check(page.memory() < program.MEGABYTES, f"{page.memory():.0f} MB")
    more = []
    for _ in range(600):
        try:
            more.append(socket.create_connection((page.host, page.port), timeout=1))
        except OSError:
            break
    for line in more:
        line.close()
    time.sleep(0.3)
    good(harness, page, "after six hundred connections")
    page.end(harness)


def slow(harness, dice):
    """Who sends nothing, or byte by byte, or reads nothing, is let go; others are served meanwhile."""
    page = Page(harness)
    head = page.question("picture", {"setting": SETTING, "trials": 1000})
    lines = {name: page.connect() for name in ("nothing", "drops", "half", "deaf")}
    lines["half"].sendall(head[:-10])
    lines["deaf"].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        lines["deaf"].sendall(f"GET /{page.token}/page.js HTTP/1.1\r\nhost: {page.host}:{page.port}\r\n\r\n".encode() * 300)
    except OSError:
        pass
    begun = time.monotonic()
    gone = set()
    at = 0
    while time.monotonic() - begun < 40 and len(gone) < len(lines):
        for name, line in lines.items():
            if name in gone:
                continue
            try:
                if name == "drops":
                    line.sendall(head[at:at + 1])
                    at += 1
                line.settimeout(0.01)
                if name != "deaf" and not line.recv(1 << 16):
                    gone.add(name)
                elif name == "deaf" and time.monotonic() - begun > 30:
                    # What it did not read ends before it all was sent.
                    line.settimeout(5)
                    while line.recv(1 << 16):
                        pass
                    gone.add(name)
            except TimeoutError:
                pass
            except OSError:
                gone.add(name)
        good(harness, page, "beside slow ones")
        time.sleep(0.5)
    harness.check(gone == set(lines), f"still there after 40 s: {set(lines) - gone}")
    page.end(harness)
