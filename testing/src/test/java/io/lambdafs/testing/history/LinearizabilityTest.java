package io.lambdafs.testing.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Small histories, each a line per operation: when it began, when it ended, and what was answered. */
class LinearizabilityTest {
    private static final Principal ROOT = new Principal("root", List.of("root"));

    private final List<Event> events = new ArrayList<>();

    private void event(long from, long to, Operation<?> operation, @Nullable Reply reply) {
        event(ROOT, from, to, operation, reply);
    }

    private void event(Principal who, long from, long to, Operation<?> operation, @Nullable Reply reply) {
        Event event =
                new Event(new Event.Asker(events.size(), events.size(), who, 0), operation, new Event.Asked(from, 0));
        if (reply == null) {
            event.unanswered("lost", to);
        } else {
            event.answered(reply, to);
        }
        events.add(event);
    }

    private @Nullable String violation() {
        Linearizability check = new Linearizability();
        List<Runnable> moments = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        for (Event event : events) {
            times.add(event.invokedNanos());
            moments.add(() -> check.begins(event));
            times.add(event.endedNanos());
            moments.add(() -> check.ends(event));
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.comparing(times::get));
        order.forEach(i -> moments.get(i).run());
        return check.violation();
    }

    private static Operation<?> create(String path, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new FileOperation.Create(FsPath.of(path), 0644, true, true, 1, 1, bytes, null);
    }

    private static Reply file(String name, int size) {
        return new Reply.Status(new Attributes(
                name,
                7,
                new INode.Traits(INode.Kind.FILE, "root", Principal.SUPERGROUP, 0644, 1, 1, INode.Content.INLINE),
                size,
                5,
                5,
                0));
    }

    private static Operation<?> stat(String path) {
        return new ReadOperation.Stat(FsPath.of(path));
    }

    private static Operation<?> delete(String path) {
        return new NamespaceOperation.Delete(FsPath.of(path), true);
    }

    private static Reply failure(ErrorCode code) {
        return new Reply.Failure(code, "");
    }

    @Test
    void shouldAcceptOperationsThatFollowEachOther() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 4, stat("/a/f"), file("f", 3));
        event(5, 6, delete("/a"), Reply.Done.YES);
        event(7, 8, stat("/a/f"), failure(ErrorCode.NOT_FOUND));
        assertThat(violation()).isNull();
    }

    @Test
    void shouldRefuseAReadOfWhatWasReplacedBeforeItBegan() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 4, create("/a/f", "second"), file("f", 6));
        event(5, 6, stat("/a/f"), file("f", 3));
        assertThat(violation()).contains("Stat");
    }

    @Test
    void shouldLetAReadThatOverlapsAWriteSeeEitherValueButNotGoBack() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 9, create("/a/f", "second"), file("f", 6));
        event(4, 5, stat("/a/f"), file("f", 6));
        assertThat(violation()).isNull();
        event(6, 7, stat("/a/f"), file("f", 3));
        assertThat(violation()).isNotNull();
    }

    @Test
    void shouldLetAnUnansweredWriteTakeEffectUntilItsEndOnlyOnceOrNever() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 20, delete("/a/f"), null);
        event(4, 5, stat("/a/f"), file("f", 3));
        event(6, 7, stat("/a/f"), failure(ErrorCode.NOT_FOUND));
        event(8, 9, create("/a/f", "second"), file("f", 6));
        assertThat(violation()).isNull();
        event(10, 11, stat("/a/f"), failure(ErrorCode.NOT_FOUND));
        assertThat(violation()).as("it cannot delete twice").isNotNull();
    }

    @Test
    void shouldRefuseAnEffectAfterTheEndOfAnUnansweredWrite() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 6, delete("/a/f"), null);
        event(7, 8, stat("/a/f"), file("f", 3));
        assertThat(violation()).isNull();
        event(9, 10, stat("/a/f"), failure(ErrorCode.NOT_FOUND));
        assertThat(violation()).isNotNull();
    }

    @Test
    void shouldRefuseALostUpdate() {
        event(1, 2, create("/a/f", "one"), file("f", 3));
        event(3, 6, delete("/a/f"), Reply.Done.YES);
        event(4, 7, delete("/a/f"), Reply.Done.YES);
        assertThat(violation()).as("two deletes of one file").isNotNull();
    }

    @Test
    void shouldLetAWriteThatFindsItsWorkDoneTakeEffectLater() {
        event(1, 2, new NamespaceOperation.Mkdirs(FsPath.of("/a"), 0755, true), Reply.Done.YES);
        event(3, 20, new NamespaceOperation.Mkdirs(FsPath.of("/a"), 0755, true), Reply.Done.YES);
        event(4, 5, delete("/a"), Reply.Done.YES);
        event(6, 7, stat("/a"), failure(ErrorCode.NOT_FOUND));
        event(8, 9, create("/a", "x"), failure(ErrorCode.ALREADY_EXISTS));
        assertThat(violation()).as("the long mkdirs made it again between").isNull();
    }

    @Test
    void shouldRefuseHalfOfARename() {
        event(1, 2, create("/a/x/f", "one"), file("f", 3));
        event(
                3,
                4,
                new NamespaceOperation.Rename(FsPath.of("/a"), FsPath.of("/b"), Operation.RenameMode.STRICT),
                Reply.Done.YES);
        event(5, 6, stat("/b/x/f"), file("f", 3));
        assertThat(violation()).isNull();
        event(7, 8, stat("/a/x/f"), file("f", 3));
        assertThat(violation()).isNotNull();
    }

    @Test
    void shouldTellTheWrongErrorFromTheRightOne() {
        event(1, 2, create("/a", "one"), file("a", 3));
        event(3, 4, stat("/a/b"), failure(ErrorCode.NOT_FOUND));
        assertThat(violation()).isNull();
        event(5, 6, stat("/a/b"), failure(ErrorCode.NOT_A_DIRECTORY));
        assertThat(violation()).isNotNull();
    }

    @Test
    void shouldTellOfARenameThatOneKindDoesNotReplaceTheOtherBeforeWhatTheStickyBitAsks() {
        Principal user = new Principal("u", List.of("users"));
        event(1, 2, new NamespaceOperation.Mkdirs(FsPath.of("/t"), 01777, true), Reply.Done.YES);
        event(3, 4, create("/t/f", "one"), file("f", 3));
        event(user, 5, 6, new NamespaceOperation.Mkdirs(FsPath.of("/t/d"), 0755, true), Reply.Done.YES);
        Operation<?> rename =
                new NamespaceOperation.Rename(FsPath.of("/t/d"), FsPath.of("/t/f"), Operation.RenameMode.OVERWRITE);
        event(user, 7, 8, rename, failure(ErrorCode.NOT_A_DIRECTORY));
        assertThat(violation()).isNull();
        event(user, 9, 10, rename, failure(ErrorCode.PERMISSION_DENIED));
        assertThat(violation()).isNotNull();
    }
}
