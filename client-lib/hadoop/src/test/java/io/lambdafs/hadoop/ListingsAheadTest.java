package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ListingsAheadTest {
    private static final int WIDTH = 20;
    private static final int DEPTH = 4;

    private final List<FsPath> begun = new ArrayList<>();
    private final Set<FsPath> open = new HashSet<>();
    private int mostOpen;
    private int misses;
    private final ListingsAhead ahead = new ListingsAhead(directory -> {
        begun.add(directory);
        open.add(directory);
        mostOpen = Math.max(mostOpen, open.size());
        return new ListingsAhead.Begun(null, new CompletableFuture<>());
    });

    /** As the shell does: all children of a directory are read, and then it goes into each. */
    private void walk(FsPath directory, int depth) {
        if (ahead.take(directory) == null) {
            misses++;
        } else {
            assertThat(open.remove(directory)).isTrue();
        }
        Deque<FsPath> children = new ArrayDeque<>();
        for (int i = 0; depth < DEPTH && i < WIDTH; i++) {
            FsPath child = directory.child("d" + i);
            ahead.seen(directory, child);
            children.add(child);
        }
        children.forEach(child -> walk(child, depth + 1));
    }

    @Test
    void shouldBeginEachListingOnceBeforeItIsWantedAndKeepFew() {
        walk(FsPath.of("/top"), 1);

        assertThat(begun).hasSize(WIDTH + WIDTH * WIDTH + WIDTH * WIDTH * WIDTH).doesNotHaveDuplicates();
        assertThat(misses).as("the first directory").isEqualTo(1);
        assertThat(mostOpen).isBetween(ListingsAhead.OF_A_DIRECTORY, ListingsAhead.IN_ALL);
        assertThat(open).isEmpty();
    }

    @Test
    void shouldForgetWhatIsBelowADirectoryThatIsBehind() {
        FsPath top = FsPath.of("/top");
        ahead.seen(top, top.child("a"));
        ahead.seen(top, top.child("b"));
        assertThat(ahead.take(top.child("a"))).isNotNull();
        for (int i = 0; i < 100; i++) {
            ahead.seen(top.child("a"), top.child("a").child("d" + i));
        }
        assertThat(begun).hasSize(2 + ListingsAhead.OF_A_DIRECTORY);

        assertThat(ahead.take(top.child("b"))).isNotNull();

        assertThat(ahead.take(top.child("a").child("d0")))
                .as("nobody comes back")
                .isNull();
        assertThat(ahead.take(FsPath.of("/"))).isNull();
    }
}
