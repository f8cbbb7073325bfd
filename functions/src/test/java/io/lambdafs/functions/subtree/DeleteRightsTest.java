package io.lambdafs.functions.subtree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Rows;
import io.lambdafs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The look through all directories below one that is deleted: bounded, and no deeper a stack for more of them. */
class DeleteRightsTest {
    private static final int DIRECTORIES = 20_000;

    private final ManualScheduler scheduler = new ManualScheduler(3);
    private final MemoryStore store = new MemoryStore(scheduler);

    private static INode directory(long parent, String name, long id, String owner) {
        return INode.directory(parent, name, id, owner, "users", 0755, 1);
    }

    private CompletableFuture<Void> check(int limit) {
        FsException tooMany = new FsException(ErrorCode.NOT_ALLOWED, "too many");
        Principal who = new Principal("u1", List.of("users"));
        CompletableFuture<Void> done = new DeleteRights(store, new Access("root"), who, FsPath.of("/d"), limit, tooMany)
                .check(directory(1, "d", 2, "u1"))
                .toCompletableFuture();
        for (int i = 0; i < 100_000 && !done.isDone(); i++) {
            scheduler.advance(1_000_000);
        }
        return done;
    }

    /** One chain below another, so that there are wide and deep parts; in the last one lies a file. */
    private void fill(String ownerOfLast) {
        List<Mutation> rows = new ArrayList<>();
        for (int i = 1; i <= DIRECTORIES; i++) {
            long parent = i <= DIRECTORIES / 2 ? 2 : 2 + i - 1;
            String owner = i >= DIRECTORIES - 1 ? ownerOfLast : "u1";
            rows.add(new Mutation.Put(Rows.of(directory(parent, "d" + i, 2 + i, owner))));
        }
        CompletableFuture<Void> done = store.begin(0)
                .commit(rows, scheduler.currentTimeMillis() + 60_000)
                .toCompletableFuture();
        for (int i = 0; i < 1_000 && !done.isDone(); i++) {
            scheduler.advance(1_000_000);
        }
        done.join();
    }

    @Test
    void shouldLookThroughAllDirectories() {
        fill("u1");
        assertThat(check(DIRECTORIES + 1)).isCompleted();
    }

    @Test
    void shouldRefuseWhereRightsLackInTheDeepestOne() {
        fill("u2");
        CompletableFuture<Void> done = check(DIRECTORIES + 1);
        assertThatThrownBy(done::join).hasMessageContaining("user=u1, access=ALL");
    }

    @Test
    void shouldRefuseWhatHoldsTooManyDirectories() {
        fill("u1");
        CompletableFuture<Void> done = check(DIRECTORIES);
        assertThatThrownBy(done::join).hasMessageContaining("too many");
    }
}
