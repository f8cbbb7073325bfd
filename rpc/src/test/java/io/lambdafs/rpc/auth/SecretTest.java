package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
    private static final byte[] DATA = {1, 2, 3};

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("secret");
    }

    private Path write(String content, String permissions) throws IOException {
        Files.writeString(file(), content);
        return Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));
    }

    @Test
    void shouldMakeAPrivateFileOnceAndReadItAgain() throws IOException {
        Secret made = Secret.loadOrCreate(file());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(Secret.loadOrCreate(file()).sign(DATA)).isEqualTo(made.sign(DATA));
        assertThat(Secret.load(file()).sign(DATA)).isEqualTo(made.sign(DATA));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void shouldGiveOneSecretToAllThatStartTogether() throws InterruptedException {
        Queue<byte[]> signatures = new ConcurrentLinkedQueue<>();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    signatures.add(Secret.loadOrCreate(file()).sign(DATA));
                }))
                .toList();
        threads.forEach(Thread::start);

        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(signatures).hasSize(8).allSatisfy(s -> assertThat(s).isEqualTo(signatures.peek()));
    }

    @Test
    void shouldDifferEachTime() {
        assertThat(Secret.generate().sign(DATA)).isNotEqualTo(Secret.generate().sign(DATA));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw------x"})
    void shouldRefuseAFileThatOthersCanUse(String permissions) throws IOException {
        Secret.loadOrCreate(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));

        assertRefused(ErrorCode.INVALID_ARGUMENT, file(), "open to others", "chmod 600");
    }

    @Test
    void shouldRefuseWhatHoldsNoSecretWithoutQuotingIt() throws IOException {
        for (String content : List.of(
                "",
                "hush",
                "00".repeat(31),
                "00".repeat(33),
                "zz".repeat(32),
                "0".repeat(5_000),
                "00".repeat(32) + " ".repeat(961))) {
            write(content, "rw-------");

            assertThatThrownBy(() -> Secret.load(file()))
                    .hasMessageContaining("does not hold a secret")
                    .hasMessageNotContaining("hush")
                    .hasNoCause();
        }
    }

    @Test
    void shouldReadASecretWithWhiteSpaceAroundItUpToItsLargestFile() throws IOException {
        write("00".repeat(32), "rw-------");
        byte[] signature = Secret.load(file()).sign(DATA);

        write(" " + "00".repeat(32) + "\n".repeat(959), "rw-------");

        assertThat(Secret.load(file()).sign(DATA)).isEqualTo(signature);
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        assertThatThrownBy(() -> Secret.load(file()))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(file().toString())
                .hasMessageContaining("start the cluster");
    }

    @Test
    void shouldSayThatItCannotMakeTheFile() {
        Path nowhere = folder.resolve("missing").resolve("secret");

        assertThatThrownBy(() -> Secret.loadOrCreate(nowhere))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(nowhere.toString());
    }

    private static void assertRefused(ErrorCode code, Path file, String... parts) {
        assertThatThrownBy(() -> Secret.load(file))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .message()
                .contains(parts);
    }

    @Test
    void shouldDeriveOnePasswordForEachPurpose() {
        Secret secret = Secret.generate();

        assertThat(secret.derive("store")).isEqualTo(secret.derive("store")).matches("[0-9a-f]{64}");
        assertThat(secret.derive("store")).isNotEqualTo(secret.derive("other"));
        assertThat(secret.derive("store")).isNotEqualTo(Secret.generate().derive("store"));
    }

    @Test
    void shouldBelieveTheHeaderOfWhoHoldsTheSameSecretOnly() {
        Secret secret = Secret.of("a cluster");
        String header = Secret.of("a cluster").authorization();

        assertThat(header).matches("Bearer [0-9a-f]{64}");
        assertThat(secret.matches(header)).isTrue();
        for (String other : List.of(
                "",
                "Bearer ",
                header + "0",
                header.substring(0, header.length() - 1),
                Secret.generate().authorization())) {
            assertThat(secret.matches(other)).as(other).isFalse();
        }
    }

    @Test
    void shouldNeverShowItself() throws IOException {
        Secret secret = Secret.loadOrCreate(file());

        assertThat(secret.toString())
                .isEqualTo("Secret[]")
                .doesNotContain(
                        Files.readString(file(), StandardCharsets.US_ASCII).strip());
    }

    @Test
    void shouldDeriveSecretsThatTellNothingOfEachOther() {
        Secret secret = Secret.of("a cluster");
        byte[] data = {1, 2, 3};

        assertThat(secret.derived("a").sign(data))
                .isEqualTo(Secret.of("a cluster").derived("a").sign(data))
                .isNotEqualTo(secret.derived("b").sign(data))
                .isNotEqualTo(secret.sign(data));
        assertThat(secret.derived("a").derive("x")).isNotEqualTo(secret.derive("a"));
    }
}
