package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.Member;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the content of nodes, of ZooKeeper's answers, and of the configuration of both ends. */
class NodeDataTest {
    @TempDir
    private Path folder;

    private static ErrorCode code(CompletionStage<?> stage) {
        try {
            throw new AssertionError("got " + stage.toCompletableFuture().join());
        } catch (CompletionException e) {
            return FsException.of(e).code();
        }
    }

    @Test
    void shouldReadTheMembersThatItWrites() {
        for (boolean caches : new boolean[] {true, false}) {
            Member member = new Member(7, 3, "i7", "10.0.0.7", 4_711, caches);
            assertThat(MemberData.read(7, MemberData.write(member))).isEqualTo(member);
        }
    }

    @Test
    void shouldReadMembersOfTheFirstFormatAndOfNoLaterOne() {
        WireWriter out = new WireWriter();
        out.writeByte(1);
        out.writeInt(3);
        out.writeString("i7");
        out.writeString("h");
        out.writeInt(1);
        assertThat(MemberData.read(7, out.toByteArray())).isEqualTo(new Member(7, 3, "i7", "h", 1, true));
        byte[] later = MemberData.write(new Member(7, 3, "i7", "h", 1, true));
        later[0] = 4;
        assertThatThrownBy(() -> MemberData.read(7, later))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessageContaining("format 4");
        byte[] longer = Arrays.copyOf(out.toByteArray(), out.toByteArray().length + 1);
        assertThatThrownBy(() -> MemberData.read(7, longer)).isInstanceOf(FsException.class);
    }

    @Test
    void shouldTellALetterFromItsAnswer() {
        byte[] content = {1, 2};
        assertThat(LetterData.isAnswer(LetterData.unanswered(content))).isFalse();
        assertThat(LetterData.content(LetterData.unanswered(content))).isEqualTo(content);
        assertThat(LetterData.isAnswer(LetterData.answer(content))).isTrue();
        assertThat(LetterData.content(LetterData.answer(content))).isEqualTo(content);
        assertThat(LetterData.isAnswer(new byte[0])).isFalse();
        assertThat(LetterData.content(new byte[0])).isEmpty();
    }

    @Test
    void shouldNameTheNodesOfAMember() {
        Nodes nodes = Nodes.of("fs");
        assertThat(nodes.root()).isEqualTo("/lambdafs");
        assertThat(nodes.member(7)).isEqualTo("/lambdafs/fs/members/7");
        assertThat(nodes.letter(7, "a")).isEqualTo("/lambdafs/fs/members/7/a");
        assertThat(nodes.lease(7)).isEqualTo("/lambdafs/fs/leases/7");
        assertThat(nodes.presence(7)).isEqualTo("/lambdafs/fs/present/7");
    }

    @Test
    void shouldTellWhatZooKeeperAnswers() {
        for (Code gone : List.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.SESSIONEXPIRED, Code.THROTTLEDOP)) {
            assertThat(Answers.failure(gone).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        }
        assertThat(Answers.failure(Code.NOAUTH).code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(Answers.failure(Code.AUTHFAILED).code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
        assertThat(Answers.failure(Code.BADARGUMENTS).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(Answers.failure(null).code()).isEqualTo(ErrorCode.INTERNAL);

        CompletableFuture<String> fine = new CompletableFuture<>();
        Answers.answer(fine, Code.NONODE.intValue(), "none", Code.NODEEXISTS, Code.NONODE);
        assertThat(fine).isCompletedWithValue("none");
        CompletableFuture<String> not = new CompletableFuture<>();
        Answers.answer(not, Code.NONODE.intValue(), "none", Code.NODEEXISTS);
        assertThat(code(not)).isEqualTo(ErrorCode.INTERNAL);
        CompletableFuture<String> unknown = new CompletableFuture<>();
        Answers.answer(unknown, 12_345, "none", Code.NONODE);
        assertThat(code(unknown)).isEqualTo(ErrorCode.INTERNAL);
        assertThat(code(Answers.of(callback -> {
                    throw new IllegalStateException("not connected");
                })))
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldTakeOnlyNamesAndConnectionsThatCanBe() {
        Secret secret = Secret.generate();
        for (String name : List.of("", ".a", "a/b", "a".repeat(65))) {
            assertThatThrownBy(() -> new ZooKeeperSettings("h:1", name, null, false, Times.DEFAULT))
                    .isInstanceOf(FsException.class);
        }
        assertThatThrownBy(() -> new ZooKeeperSettings(" ", "fs", null, false, Times.DEFAULT))
                .hasMessageContaining("connection");
        ZooKeeperSettings open = new ZooKeeperSettings("h:1", "a".repeat(64), null, true, Times.DEFAULT);
        assertThat(open.password()).isNull();
        assertThat(open.proved()).isNull();
        ZooKeeperSettings foreign = new ZooKeeperSettings("h:1", "fs", secret, false, Times.DEFAULT);
        assertThat(foreign.password()).isNotBlank();
        assertThat(foreign.proved()).isNull();
        assertThat(new ZooKeeperSettings("h:1", "fs", secret, true, Times.DEFAULT).proved())
                .isSameAs(secret);
    }

    private ZooKeeperMain.Configuration configuration(String json) throws Exception {
        return ZooKeeperMain.load(Files.writeString(folder.resolve("zookeeper.json"), json));
    }

    @Test
    void shouldReadAServersConfiguration() throws Exception {
        EmbeddedZooKeeper.Settings plain =
                configuration("{\"dataDir\": \"/d\", \"insecure\": true}").settings();
        assertThat(plain.data()).isEqualTo(Path.of("/d"));
        assertThat(plain.host()).isIn("127.0.0.1", "::1");
        assertThat(plain.port()).isZero();
        assertThat(plain.secret()).isNull();
        EmbeddedZooKeeper.Settings full = configuration(
                        "{\"dataDir\": \"/d\", \"host\": \"h\", \"port\": 65535, \"insecure\": true}")
                .settings();
        assertThat(full.host()).isEqualTo("h");
        assertThat(full.port()).isEqualTo(65_535);
        Path secret = folder.resolve("secret");
        Secret.loadOrCreate(secret);
        assertThat(configuration("{\"dataDir\": \"/d\", \"secretFile\": \"" + secret + "\"}")
                        .settings()
                        .secret())
                .isNotNull();
    }

    @Test
    void shouldRefuseAConfigurationThatCannotBe() throws Exception {
        for (String wrong : List.of(
                "{\"insecure\": true}",
                "{\"dataDir\": \"/d\"}",
                "{\"dataDir\": \"/d\", \"insecure\": false}",
                "{\"dataDir\": \"/d\", \"insecure\": true, \"secretFile\": \"/s\"}",
                "{\"dataDir\": \"/d\", \"insecure\": true, \"port\": 65536}",
                "{\"dataDir\": \"/d\", \"insecure\": true, \"port\": -1}")) {
            assertThatThrownBy(() -> configuration(wrong).settings())
                    .as(wrong)
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
        }
        assertThatThrownBy(() -> configuration("{")).hasMessageContaining("cannot be understood");
        assertThatThrownBy(() -> ZooKeeperMain.load(folder.resolve("none"))).hasMessageContaining("cannot be read");
    }

    @Test
    void shouldPublishItsPortWhole() throws Exception {
        Path file = folder.resolve("port");
        ZooKeeperMain.publish(file, 2_181);
        ZooKeeperMain.publish(file, 2_182);
        assertThat(file).hasContent("2182");
        assertThat(folder.resolve("port.draft")).doesNotExist();
        assertThatThrownBy(() -> ZooKeeperMain.publish(folder.resolve("none/port"), 1))
                .isInstanceOf(FsException.class);
    }
}
