package io.lambdafs.hammer.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NamespaceImportTest {
    @TempDir
    private Path directory;

    private final MemoryFileSystem files = new MemoryFileSystem();

    private ImportResult run(ImportSettings settings) {
        return NamespaceImport.run(settings, files, progress -> {});
    }

    private ImportSettings settings() {
        return ImportSettings.of(directory, Trees.TARGET);
    }

    private Attributes stat(String path) {
        return files.apply(new ReadOperation.Stat(FsPath.of(path))).attributes();
    }

    @Test
    void shouldImportNamesModesTimesLengthsAndSmallContents() throws Exception {
        Path sub = Files.createDirectories(directory.resolve("a/b"));
        Path small = Files.writeString(sub.resolve("small"), "twelve bytes");
        Path big = Files.write(sub.resolve("big"), new byte[70_000]);
        Path empty = Files.createFile(sub.resolve("empty"));
        Files.setPosixFilePermissions(small, PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(sub, PosixFilePermissions.fromString("r-xr-xr-x"));
        Files.setLastModifiedTime(small, FileTime.fromMillis(1_234_567_890_123L));
        Files.setLastModifiedTime(big, FileTime.fromMillis(1_111_111_111_000L));

        ImportResult result = run(settings());

        assertThat(result.directories()).isEqualTo(2);
        assertThat(result.files()).isEqualTo(3);
        assertThat(result.withoutContent()).isEqualTo(1);
        assertThat(result.contentBytes()).isEqualTo(12);
        assertThat(result.skipped()).isEmpty();
        assertThat(result.limited()).isFalse();
        Attributes seen = stat("/data/a/b/small");
        assertThat(seen.mode()).isEqualTo(0640);
        assertThat(seen.mtime()).isEqualTo(1_234_567_890_123L);
        assertThat(seen.content()).isEqualTo(INode.Content.INLINE);
        assertThat(files.apply(new ReadOperation.Open(FsPath.of("/data/a/b/small")))
                        .content())
                .asString()
                .isEqualTo("twelve bytes");
        Attributes long70k = stat("/data/a/b/big");
        assertThat(long70k.size()).isEqualTo(70_000);
        assertThat(long70k.mtime()).isEqualTo(1_111_111_111_000L);
        assertThat(long70k.content()).isEqualTo(INode.Content.ABSENT);
        assertThat(stat("/data/a/b/" + empty.getFileName()).size()).isZero();
        assertThat(stat("/data/a/b").mode()).isEqualTo(0555);
    }

    @Test
    void shouldSkipAndCountWhatHdfsOrTheDiskRefuses() throws Exception {
        Files.writeString(directory.resolve("good"), "x");
        Files.writeString(directory.resolve("Foo::Bar.3pm"), "x");
        Files.createDirectories(directory.resolve("not:this/nor-this"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("good"));
        Files.createSymbolicLink(directory.resolve("loop"), directory);
        Path closed = Files.createDirectories(directory.resolve("closed"));
        Process fifo = new ProcessBuilder("mkfifo", directory.resolve("pipe").toString()).start();
        assertThat(fifo.waitFor()).isZero();

        ImportResult result = NamespaceImport.run(settings(), files, progress -> {}, path -> {
            if (path.equals(closed)) {
                throw new AccessDeniedException(path.toString());
            }
            return LocalTree.listFiles(path);
        });

        assertThat(result.files()).isEqualTo(1);
        assertThat(result.directories()).isEqualTo(1);
        assertThat(result.skipped(SkipReason.SYMBOLIC_LINK)).isEqualTo(2);
        assertThat(result.skipped(SkipReason.REFUSED_NAME)).isEqualTo(2);
        assertThat(result.skipped(SkipReason.UNREADABLE)).isEqualTo(1);
        assertThat(result.skipped(SkipReason.SPECIAL_FILE)).isEqualTo(1);
    }

    @Test
    void shouldKeepNamesBeyondAscii() throws Exception {
        Process made = new ProcessBuilder(
                        "bash", "-c", "printf x > $'gr\\xc3\\xbc\\xc3\\x9fe.txt'; printf x > $'broken-\\xff'")
                .directory(directory.toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        ImportResult result = run(settings());
        assertThat(result.skipped(SkipReason.REFUSED_NAME)).isEqualTo(1);
        assertThat(stat("/data/gr\u00fc\u00dfe.txt").size()).isEqualTo(1);
    }

    @Test
    void shouldStopAtLimitBreadthFirstInOrderOfNames() throws Exception {
        Files.createDirectories(directory.resolve("b/deep"));
        Files.writeString(directory.resolve("b/deep/x"), "x");
        for (String name : List.of("c1", "a2", "b/1", "b/2", "a1")) {
            Files.writeString(directory.resolve(name), name);
        }
        ImportResult result = run(settings().withMaxFiles(4));
        assertThat(result.limited()).isTrue();
        assertThat(result.files()).isEqualTo(4);
        assertThat(stat("/data").children()).isEqualTo(4);
        assertThat(stat("/data/b/1").size()).isEqualTo(3);
        assertThatThrownBy(() -> stat("/data/b/2")).isInstanceOf(FsException.class);
    }

    @Test
    void shouldMakeParentsFirstAndBoundOperationsInFlight() throws Exception {
        Trees.write(directory, 40, 10);
        AtomicInteger inFlight = new AtomicInteger();
        ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Target counting = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                seen.add(inFlight.incrementAndGet());
                return CompletableFuture.supplyAsync(
                        () -> {
                            inFlight.decrementAndGet();
                            return files.apply(operation);
                        },
                        pool);
            }
        };
        List<ImportProgress> shown = new ArrayList<>();
        ImportResult result = NamespaceImport.run(settings().withWindow(8), counting, shown::add);
        pool.shutdown();
        await().until(pool::isTerminated);
        assertThat(result.files()).isEqualTo(401);
        assertThat(seen).allMatch(count -> count <= 8);
        ImportProgress last = shown.get(shown.size() - 1);
        assertThat(last.done()).isEqualTo(last.total()).isEqualTo(448);
    }

    @Test
    void shouldStopWithTypedErrorWhereAnOperationFails() throws Exception {
        Trees.write(directory, 4, 4);
        Target failing = new Target() {
            @Override
            public <R extends Reply> CompletionStage<R> execute(Operation<R> operation) {
                return operation.path().name().equals("file-2")
                        ? CompletableFuture.failedFuture(new FsException(ErrorCode.STORE_FULL, "no space left"))
                        : files.execute(operation);
            }
        };
        assertThatThrownBy(() -> NamespaceImport.run(settings(), failing, progress -> {}))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL))
                .hasMessageContaining("file-2")
                .hasMessageContaining("no space left");
    }

    @Test
    void shouldRefuseTreeThatIsMissingOrAFileAndTargetThatIsNotEmpty() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertCode(ImportSettings.of(directory.resolve("missing"), Trees.TARGET), ErrorCode.NOT_FOUND);
        assertCode(ImportSettings.of(file, Trees.TARGET), ErrorCode.NOT_A_DIRECTORY);
        assertThatThrownBy(() -> ImportSettings.of(directory, FsPath.ROOT)).hasMessageContaining("/data");
        run(settings());
        assertCode(settings(), ErrorCode.ALREADY_EXISTS);
        assertUnreadable(new AccessDeniedException("x"), ErrorCode.PERMISSION_DENIED);
        assertUnreadable(new FileSystemException("x", null, "Too many open files"), ErrorCode.UNAVAILABLE);
    }

    private void assertUnreadable(IOException why, ErrorCode code) {
        assertThatThrownBy(() -> NamespaceImport.run(
                        ImportSettings.of(directory, FsPath.of("/other")), files, progress -> {}, path -> {
                            throw why;
                        }))
                .hasMessageContaining(directory.toString())
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private void assertCode(ImportSettings settings, ErrorCode code) {
        assertThatThrownBy(() -> run(settings))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
