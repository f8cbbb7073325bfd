package io.lambdafs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingLambdaFsTest {
    private static final FsPath PATH = FsPath.of("/d");

    private final ClientFixture fixture = new ClientFixture();
    private final BlockingLambdaFs fs = new BlockingLambdaFs(fixture.open());

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Attributes named(String name, INode.Content content, long size) {
        return new Attributes(name, 7, new INode.Traits(INode.Kind.FILE, "a", "g", 0644, 1, 1, content), size, 0, 0, 0);
    }

    @Test
    void shouldTakeAnAnswerThatComesWhileEveryProcessorIsBusy() throws InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            thread.start();
            busy.add(thread);
        }
        try {
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Integer> answer = new CompletableFuture<>();
                int number = i;
                new Thread(() -> answer.complete(number)).start();
                assertThat(BlockingLambdaFs.await(answer)).isEqualTo(i);
            }
        } finally {
            isOver.set(true);
            for (Thread thread : busy) {
                thread.join();
            }
        }
    }

    @Test
    void shouldEndTheWaitWhenInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> BlockingLambdaFs.await(new CompletableFuture<>()))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldReadListingPageByPage() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            names.add(String.format("f%05d", i));
        }
        fixture.gateway.answersWith(request -> {
            ReadOperation.ListPage page = (ReadOperation.ListPage) request.operation();
            List<String> rest = names.stream()
                    .filter(name -> name.compareTo(page.startAfter()) > 0)
                    .toList();
            int count = Math.min(page.limit(), rest.size());
            return new Reply.Page(
                    rest.subList(0, count).stream()
                            .map(name -> named(name, INode.Content.INLINE, 1))
                            .toList(),
                    count < rest.size());
        });

        List<String> listed = new ArrayList<>();
        fs.list(PATH).forEachRemaining(entry -> listed.add(entry.name()));

        assertThat(listed).isEqualTo(names);
        assertThat(fixture.gateway.calls()).hasSize(3);
    }

    @Test
    void shouldSayWhyContentCannotBeRead() {
        fixture.gateway.answersWith(request -> new Reply.Opened(named("f", INode.Content.ABSENT, 99), null));
        assertThatThrownBy(() -> fs.read(PATH))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_CONTENT))
                .hasMessageContaining("99 bytes");

        fixture.gateway.answersWith(request -> new Reply.Opened(named("f", INode.Content.INLINE, 99), null));
        assertThatThrownBy(() -> fs.read(PATH))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NEEDS_DATANODE));
    }

    @Test
    void shouldReadContentAndEmptyFiles() throws InterruptedException {
        fixture.gateway.answersWith(
                request -> new Reply.Opened(named("f", INode.Content.INLINE, 2), new byte[] {1, 2}));
        assertThat(fs.read(PATH)).containsExactly(1, 2);

        fixture.gateway.answersWith(request -> new Reply.Opened(named("f", INode.Content.NONE, 0), null));
        assertThat(fs.read(PATH)).isEmpty();
    }

    @Test
    void shouldEndWaitWhenInterrupted() throws InterruptedException {
        CompletableFuture<Void> called = new CompletableFuture<>();
        fixture.gateway.answers(call -> {
            called.complete(null);
            return new CompletableFuture<>();
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                fs.stat(PATH);
            } catch (InterruptedException | RuntimeException e) {
                ended.complete(e);
            }
        });
        caller.start();
        called.join();

        caller.interrupt();
        caller.join();

        assertThat(ended.join()).isInstanceOf(InterruptedException.class);
    }
}
