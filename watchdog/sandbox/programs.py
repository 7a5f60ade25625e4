"""Programs that are refused by their name alone, and the rule each is against."""

from __future__ import annotations

import re

# rule -> names. A name is refused with whatever arguments.
NAMES: dict[str, str] = {
    "mkfs": "mkfs mke2fs mkswap mkdosfs mkntfs newfs newfs_msdos format",
    "disk": (
        "fdisk sfdisk gdisk sgdisk cfdisk parted wipefs blkdiscard hdparm nvme shred srm diskutil dmsetup "
        "cryptsetup lvremove vgremove pvremove mdadm zpool zfs badblocks swapoff swapon losetup"
    ),
    "dd": "dd dcfldd ddrescue dc3dd",
    "power": "shutdown reboot halt poweroff telinit init kexec pm-suspend loginctl",
    "privilege": (
        "sudo sudoedit doas su runuser pkexec gosu su-exec setpriv capsh chroot unshare nsenter newgrp sg "
        "passwd chpasswd useradd usermod userdel groupadd visudo chsh chfn setcap setfacl chattr"
    ),
    "system": (
        "mount umount insmod modprobe rmmod sysctl iptables ip6tables nft ufw ip ifconfig route systemctl "
        "service systemd-run launchctl rc-service hostnamectl timedatectl update-rc.d dmesg"
    ),
    "container": "docker podman nerdctl kubectl helm lxc lxc-attach lxd runc crun ctr bwrap firejail machinectl",
    "schedule": "crontab at batch atd anacron cron",
    "remote": (
        "ssh scp sftp rsync rsh rcp rlogin rexec telnet ftp tftp lftp mosh autossh sshfs ssh-keygen ssh-add "
        "ssh-agent sshpass rclone"
    ),
    "netcat": "nc ncat netcat nc.traditional nc.openbsd socat nmap cryptcat pwncat chisel",
    "kill": "kill pkill killall killall5 skill snice xkill fuser",
    "eval": "eval source . exec command builtin trap alias",
    "debugger": "gdb lldb strace ltrace perf bpftrace ptrace dtrace",
    "interpreter": (
        "awk gawk mawk nawk original-awk m4 dc bc ed ex vi vim vim.basic vim.tiny nvim view rvim emacs nano "
        "pico expect jshell groovy scala kotlin julia R Rscript octave guile racket sbcl clisp erl elixir iex "
        "escript ghci runghc make gmake cmake ninja gcc g++ cc c++ clang tcc ld as go cargo rustc java javac "
        "dotnet mono swift osascript ld.so openssl sqlite3 psql mysql redis-cli less more most man info pg "
        "tmux screen script scriptreplay dialog whiptail"
    ),
    "wrapper": (
        "env nice nohup timeout gtimeout stdbuf setsid setarch linux32 linux64 ionice chrt taskset time xargs "
        "parallel watch busybox toybox coreutils flock prlimit start-stop-daemon daemonize unbuffer faketime "
        "fakeroot proot cpulimit choom softlimit setlock chpst runsv run-parts dbus-run-session xvfb-run "
        "torsocks proxychains proxychains4 sem rlwrap numactl catchsegv valgrind"
    ),
}
_RULE_OF = {name.casefold(): rule for rule, names in NAMES.items() for name in names.split()}
SHELLS = "sh bash rbash dash ash zsh rzsh ksh ksh93 mksh pdksh lksh fish csh tcsh pwsh powershell cmd elvish nu xonsh yash rc es"
LANGUAGES = "python pypy ipython perl raku ruby irb jruby lua luajit php node nodejs deno bun ts-node tclsh wish"
_INTERPRETER = re.compile(
    rf"(?:{'|'.join(SHELLS.split())}|{'|'.join(LANGUAGES.split())})[\d.]*(?:-[\d.]+|[dmtw]|-dbg)?"
)


def name_of(word: str) -> str:
    """The name that decides: without folders, quotes, backslashes, upper case (a Mac runs /bin/RM) and `.exe`."""
    bare = re.sub(r"[\\'\"]", "", word)
    return bare.rstrip("/").rpartition("/")[2].casefold().removesuffix(".exe")


def rule_of(name: str) -> str:
    """The rule against a name alone."""
    if name.startswith(("mkfs.", "mkfs_")):
        return "mkfs"
    if name.startswith(("ld-linux", "ld-musl")):
        return "wrapper"
    return _RULE_OF.get(name, "interpreter" if _INTERPRETER.fullmatch(name) else "")


def never_run(name: str) -> bool:
    """Whether a name is refused with whatever arguments."""
    return bool(rule_of(name_of(name)))
