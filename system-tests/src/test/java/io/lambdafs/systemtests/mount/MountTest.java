package io.lambdafs.systemtests.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two mounts of one cluster, used by the shell's programs and git. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MountTest {
    private static final String RACERS = "won=0; for i in $(seq 1 100); do"
            + " (set -C; echo x > race/$i) 2>/dev/null && won=$((won + 1)) || true; done; echo $won";

    private Path folder;

    private ClusterUnderTest cluster;
    private MountUnderTest one;
    private MountUnderTest two;

    @BeforeAll
    void mount(@TempDir Path temporary) throws Exception {
        folder = temporary;
        String obstacle = MountUnderTest.obstacle();
        assumeTrue(obstacle.isEmpty(), obstacle);
        cluster = ClusterUnderTest.start(folder.resolve("cluster"));
        one = MountUnderTest.start(cluster.directory(), folder.resolve("one"));
        two = MountUnderTest.start(cluster.directory(), folder.resolve("two"));
    }

    @AfterAll
    void unmount() throws Exception {
        try {
            for (MountUnderTest each : new MountUnderTest[] {one, two}) {
                if (each != null) {
                    each.close();
                }
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    @Test
    void shouldKeepTreesOfFilesAsTheShellMakesThem() throws Exception {
        one.sh(
                "mkdir -p tree/a/b && echo hello > tree/a/file && touch tree/empty && head -c 3000000 /dev/urandom > tree/long");
        one.sh("chmod 640 tree/a/file && touch -d @1000000000.5 tree/a/file");
        assertThat(one.sh("stat -c '%a %s %.1Y %U %F' tree/a/file"))
                .isEqualTo("640 6 1000000000.5 root regular file\n");

        one.sh("cp -a tree copy && diff -r tree copy");
        assertThat(one.sh("stat -c '%a %s %.1Y' copy/a/file")).isEqualTo("640 6 1000000000.5\n");
        one.sh(
                "tar cf \"$0/../t.tar\" -C tree . ; mkdir out; tar xf \"$0/../t.tar\" -C out; diff -r tree out; rm \"$0/../t.tar\"");
        one.sh("mv copy moved && mv moved/a/file moved/file && rmdir moved/a/b moved/a");
        assertThat(one.sh("find moved | sort")).isEqualTo("moved\nmoved/empty\nmoved/file\nmoved/long\n");
        assertThat(one.sh("du -sb --apparent-size moved/long")).startsWith("3000000\t");
        one.sh("rm -r moved out");
        assertThat(one.tried("ls moved").exit()).isNotZero();
    }

    @Test
    void shouldGiveANameToOneOfTwoMountsThatMakeIt() throws Exception {
        one.sh("mkdir race");
        Process first = racer(one);
        Process second = racer(two);

        int won = won(first) + won(second);

        assertThat(won).isEqualTo(100);
        assertThat(two.sh("ls race | wc -l")).isEqualTo("100\n");
    }

    private static Process racer(MountUnderTest at) throws Exception {
        return new ProcessBuilder("/bin/bash", "-c", RACERS)
                .directory(at.directory().toFile())
                .start();
    }

    private static int won(Process racer) throws Exception {
        String said = new String(racer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(racer.waitFor()).isZero();
        return Integer.parseInt(said.strip());
    }

    @Test
    void shouldChangeFilesAtAnyPlace() throws Exception {
        one.sh("head -c 5000000 /dev/urandom > \"$0/../local\"; cp \"$0/../local\" any");
        String changes = "f=$1; echo more >> $f; echo evenmore >> $f;"
                + " dd if=$2 of=$f bs=1000 count=3 seek=70 conv=notrunc;"
                + " dd if=$2 of=$f bs=4096 count=400 seek=900 conv=notrunc;"
                + " truncate -s 6000000 $f; dd if=$2 of=$f bs=1 count=7 seek=6100000 conv=notrunc;"
                + " truncate -s 6050001 $f; echo end >> $f; dd if=$2 of=$f bs=100000 count=20 seek=3 conv=notrunc,fsync";
        one.sh("cp \"$0/../local\" \"$0/../source\"; for f in any \"$0/../local\"; do bash -ec '" + changes
                + "' - $f \"$0/../source\"; done; cmp any \"$0/../local\"");
        assertThat(two.sh("cmp any \"$0/../local\"; stat -c %s any")).isEqualTo("6050005\n");
        one.sh("echo short > any; rm \"$0/../local\" \"$0/../source\"");
        assertThat(two.sh("cat any; stat -c %s any")).isEqualTo("short\n6\n");
    }

    @Test
    void shouldShowEachChangeAtTheOtherMount() throws Exception {
        for (int i = 0; i < 20; i++) {
            one.sh("echo " + i + " > seen && mkdir -p at/" + i);
            assertThat(two.sh("cat seen; ls -d at/" + i)).isEqualTo(i + "\nat/" + i + "\n");
            two.sh("rm seen; rmdir at/" + i);
            assertThat(one.tried("cat seen").err()).contains("No such file");
            assertThat(one.tried("ls -d at/" + i).exit()).isNotZero();
        }
    }

    @Test
    void shouldKeepADeletedFileForThoseWhoHaveItOpen() throws Exception {
        one.sh("echo kept > gone; exec 3<gone 4>>gone; rm gone; echo more >&4; cat <&3 > after; exec 3<&- 4>&-");
        assertThat(two.sh("cat after; ls -A | grep -c '^gone$' || true")).isEqualTo("kept\nmore\n0\n");

        one.sh(
                "head -c 3000000 /dev/urandom > long; sha256sum < long > sum; exec 3<long; rm long; sha256sum <&3 | cmp - sum; echo x > long; mv sum sum2");
        assertThat(two.sh("cat long")).isEqualTo("x\n");
        one.sh("head -c 200000 /dev/zero > old; echo new > new; exec 3<old; mv new old; wc -c <&3; cat old");
    }

    @Test
    void shouldFollowSymbolicLinks() throws Exception {
        one.sh(
                "mkdir -p links/to; echo pointed > links/to/file; ln -s to/file links/short; ln -s ../links/to links/up; ln -s nowhere links/dangling");
        assertThat(
                        two.sh(
                                "cat links/short links/up/file; readlink links/[dsu]*; stat -c '%F %s %A' links/short; find links -type l | sort"))
                .isEqualTo("""
                        pointed
                        pointed
                        nowhere
                        to/file
                        ../links/to
                        symbolic link 7 lrwxrwxrwx
                        links/dangling
                        links/short
                        links/up
                        """);
        assertThat(two.tried("cat links/dangling").err()).contains("No such file");
        assertThat(two.tried("ln -s x links/short").err()).contains("File exists");
        two.sh(
                "cp -a links copied; diff -r --no-dereference links copied; mv links/short links/moved; rm links/up links/dangling; cat links/moved");
        assertThat(one.sh("ls -A links")).isEqualTo("moved\nto\n");
    }

    @Test
    void shouldKeepExtendedAttributesWhenContentsAreReplaced() throws Exception {
        assumeTrue(CommandRun.of(List.of("/bin/bash", "-c", "python3 -c ''")).exit() == 0, "there is no python3");
        one.sh(
                "echo 0123456789 > with; chmod 640 with; python3 -c 'import os; os.setxattr(\"with\", \"user.colour\", b\"red\")'");
        one.sh("printf x | dd of=with bs=1 seek=3 conv=notrunc");
        assertThat(
                        two.sh(
                                "cat with; stat -c %a with; python3 -c 'import os; print(os.listxattr(\"with\"), os.getxattr(\"with\", \"user.colour\"))'"))
                .isEqualTo("012x456789\n640\n['user.colour'] b'red'\n");
    }

    @Test
    void shouldShowTotalsAsAttributesThatNoListingHas() throws Exception {
        assumeTrue(CommandRun.of(List.of("/bin/bash", "-c", "python3 -c ''")).exit() == 0, "there is no python3");
        one.sh("mkdir -p counted/a/b; printf 12345 > counted/a/five; printf 123 > counted/three");
        String get = "python3 -c 'import os; d=\"user.lambdafs.dir.\"; "
                + "print(*[os.getxattr(\"counted\", d + n).decode() for n in (\"files\", \"directories\", \"bytes\")], "
                + "os.listxattr(\"counted\"))'";
        assertThat(two.sh(get)).isEqualTo("2 3 8 []\n");
        String set = "python3 -c 'import os; os.setxattr(\"counted\", \"user.lambdafs.dir.files\", b\"1\")'";
        assertThat(one.tried(set).err()).contains("Permission denied");
        assertThat(one.tried("python3 -c 'import os; os.getxattr(\"counted/three\", \"user.lambdafs.dir.files\")'")
                        .err())
                .contains("No data available");
    }

    @Test
    void shouldRefuseWhatLinuxRefuses() throws Exception {
        one.sh("mkdir -p full/er; echo x > plain; chmod 600 plain; mkdir open; chmod 1777 open");
        assertThat(one.tried("rmdir full").err()).contains("Directory not empty");
        assertThat(one.tried("mkdir full").err()).contains("File exists");
        assertThat(one.tried("cat full").err()).contains("Is a directory");
        assertThat(one.tried("ls plain/x").err()).contains("Not a directory");
        assertThat(one.tried("touch $(printf 'x%.0s' $(seq 1 256))").err()).contains("File name too long");
        assertThat(one.tried("ln plain link").err()).contains("Operation not permitted");
        assertThat(one.tried(asNobody("cat plain")).err()).contains("Permission denied");
        assertThat(one.tried(asNobody("chmod 777 plain")).err()).contains("Operation not permitted");
        assertThat(one.tried(asNobody("touch mine")).err()).contains("Permission denied");
        assertThat(one.sh(asNobody("echo mine > open/mine; cat open/mine; stat -c %U open/mine")))
                .isEqualTo("mine\nnobody\n");
        assertThat(one.tried(asNobody("rm -f plain")).err()).contains("Permission denied");
    }

    private static String asNobody(String script) {
        return "setpriv --reuid=65534 --regid=65534 --clear-groups bash -ec '" + script + "'";
    }

    @Test
    void shouldCloneAndServeARepositoryOfGit() throws Exception {
        CommandRun git = CommandRun.of(List.of("/bin/bash", "-c", "command -v git"));
        assumeTrue(git.exit() == 0, "there is no git");
        Path source = folder.resolve("repository");
        String user = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b;"
                + " git() { command git -c safe.directory='*' \"$@\"; };";
        CommandRun made = CommandRun.of(List.of(
                "/bin/bash",
                "-ec",
                user + " git init -q " + source + "; cd " + source
                        + "; for d in $(seq 1 5); do mkdir $d; for f in $(seq 1 4); do seq $d $((d * f)) > $d/$f; done; done;"
                        + " git add .; git commit -qm first; seq 1 100000 > long; git add .; git commit -qm second"));
        assertThat(made.exit()).as(made.err()).isZero();

        one.sh(
                user + "git clone -q file://" + source
                        + " clone; cd clone; git fsck --strict; test -z \"$(git status --porcelain)\";"
                        + " echo x >> 1/1; test \"$(git status --porcelain)\" = ' M 1/1'; git commit -qam third; git gc -q; git fsck");
        assertThat(two.sh(user
                        + "cd clone; git log --format=%s; git status --porcelain; git diff HEAD~1 --stat | tail -1"))
                .isEqualTo("third\nsecond\nfirst\n 1 file changed, 1 insertion(+)\n");
    }

    @Test
    void shouldEndWhenItIsToldTo() throws Exception {
        try (MountUnderTest third = MountUnderTest.start(cluster.directory(), folder.resolve("third"))) {
            third.sh("echo kept > ended");
            ProcessHandle process = third.process();
            CommandRun stopped = third.stop();

            assertThat(stopped.exit()).as(stopped.err()).isZero();
            assertThat(process.isAlive()).isFalse();
            assertThat(third.isMounted()).isFalse();
            assertThat(one.sh("cat ended")).isEqualTo("kept\n");
        }
    }
}
