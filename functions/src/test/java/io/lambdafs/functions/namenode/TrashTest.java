package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.Mutation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The users' trash, emptied by the instance that leads the chores, in simulated time. */
@Tag("once")
class TrashTest {
    private static final Duration LIFE = Duration.ofMinutes(20);
    private static final ZoneId ZONE = ZoneOffset.ofHours(-7);
    private static final FsPath USERS = FsPath.of("/user");

    private final SimulatedCluster cluster = new SimulatedCluster(5, 2);

    TrashTest() {
        // Names of checkpoints have two digits for the year: of this century.
        cluster.scheduler.advance(Duration.ofDays(56 * 365));
        cluster.settings = new NameNodeSettings(
                "root",
                Times.DEFAULT,
                64 << 10,
                20_000,
                NameNodeSettings.Reclaim.DEFAULT,
                0,
                new NameNodeSettings.Trash(LIFE, ZONE));
        cluster.start(0);
        cluster.start(1);
    }

    private static FsPath trash(String user) {
        return USERS.child(user).child(".Trash");
    }

    private void write(FsPath file) {
        FsPath parent = FsPath.of(file.toString().substring(0, file.toString().lastIndexOf('/')));
        cluster.call(new NamespaceOperation.Mkdirs(parent, 0755, true));
        Reply reply =
                cluster.call(new FileOperation.Create(file, 0644, false, false, 1, 1 << 20, new byte[] {1}, null));
        assertThat(reply).isNotInstanceOf(Reply.Failure.class);
    }

    /** Moves a file to the trash, as a client does. */
    private void throwAway(String user, String name) {
        write(trash(user).child("Current").child("data").child(name));
    }

    private List<String> names(FsPath directory) {
        Reply reply = cluster.call(new ReadOperation.ListPage(directory, "", Operation.MAX_PAGE));
        return reply instanceof Reply.Page page
                ? page.entries().stream().map(Attributes::name).toList()
                : List.of();
    }

    private String checkpoint(Duration ago) {
        return DateTimeFormatter.ofPattern("yyMMddHHmmss")
                .format(Instant.ofEpochMilli(cluster.scheduler.currentTimeMillis())
                        .minus(ago)
                        .atZone(ZONE));
    }

    private Map<String, Long> rows() {
        return cluster.rows().stream()
                .collect(Collectors.groupingBy(row -> row.key().table().name(), TreeMap::new, Collectors.counting()));
    }

    @Test
    void shouldKeepWhatIsThrownAwayForItsTimeAndForNoMoreThanTwice() {
        throwAway("ann", "a");
        throwAway("bob", "b");
        cluster.advance(LIFE);
        assertThat(names(trash("ann"))).hasSize(1).doesNotContain("Current");
        assertThat(names(trash("bob"))).hasSize(1);
        throwAway("ann", "c");

        cluster.advance(Duration.ofMinutes(5));

        assertThat(names(trash("bob"))).isEmpty();
        assertThat(names(trash("ann"))).as("only the second").hasSize(1).doesNotContain("Current");
        cluster.advance(LIFE.multipliedBy(2));
        assertThat(names(trash("ann"))).isEmpty();
        assertThat(names(USERS)).containsExactly("ann", "bob");
        cluster.wholeStore();
    }

    @Test
    void shouldLeaveAloneWhatIsNoCheckpoint() {
        write(trash("ann").child("notes").child("f"));
        write(trash("ann").child("2026").child("f"));
        write(trash("ann").child("991399000000").child("f"));
        write(trash("ann").child(checkpoint(Duration.ofMinutes(1))).child("f"));
        write(USERS.child("ann").child("Current").child("f"));
        write(USERS.child("file"));

        cluster.advance(Duration.ofMinutes(10));

        assertThat(names(trash("ann"))).hasSize(4);
        assertThat(names(USERS)).containsExactly("ann", "file");
        assertThat(names(USERS.child("ann"))).containsExactly(".Trash", "Current");
    }

    @Test
    void shouldGoOnBehindWhatIsNoCheckpoint() {
        write(trash("ann").child("notes").child("f"));
        throwAway("ann", "a");
        throwAway("bob", "b");
        cluster.advance(LIFE);
        assertThat(names(trash("ann"))).hasSize(2).contains("notes").doesNotContain("Current");
        assertThat(names(trash("bob"))).hasSize(1).doesNotContain("Current");
    }

    @Test
    void shouldTakeCheckpointsOfClientsByTheirNames() {
        write(trash("ann").child(checkpoint(Duration.ofMinutes(30))).child("f"));
        write(trash("ann").child(checkpoint(Duration.ofMinutes(30)) + "-1").child("f"));
        write(trash("ann")
                .child(checkpoint(Duration.ofMinutes(30)).substring(0, 10))
                .child("f"));
        String young = checkpoint(Duration.ofMinutes(5));
        write(trash("ann").child(young).child("f"));

        cluster.advance(Duration.ofMinutes(3));

        assertThat(names(trash("ann"))).containsExactly(young);
    }

    @Test
    void shouldGoThroughMoreUsersThanAPageHas() {
        for (int i = 0; i < 1_020; i++) {
            cluster.call(new NamespaceOperation.Mkdirs(USERS.child("u%05d".formatted(i)), 0755, true));
        }
        throwAway("u00000", "a");
        throwAway("zoe", "z");

        cluster.advance(Duration.ofMinutes(5));

        assertThat(names(trash("u00000"))).doesNotContain("Current");
        assertThat(names(trash("zoe"))).hasSize(1).doesNotContain("Current");
    }

    /** Files thrown away in the meantime wait for the newest checkpoint's end only. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMakeNoCheckpointWhileTheNewestIsYoung(boolean newestFirst) {
        String old = checkpoint(Duration.ofMinutes(19));
        String young = checkpoint(Duration.ofMinutes(4)) + (newestFirst ? "-1" : "");
        write(trash("ann").child(newestFirst ? young : old).child("f"));
        write(trash("ann").child(newestFirst ? old : young).child("f"));
        throwAway("ann", "a");
        long began = cluster.scheduler.currentTimeMillis();

        cluster.advance(Duration.ofMinutes(5));

        assertThat(names(trash("ann"))).as("the old one is gone").containsExactlyInAnyOrder(young, "Current");
        cluster.advance(Duration.ofMinutes(14));
        String made = names(trash("ann")).get(0);
        assertThat(names(trash("ann"))).as("the young one has become a new one").hasSize(1);
        assertThat(LocalDateTime.parse(made, DateTimeFormatter.ofPattern("yyMMddHHmmss"))
                        .atZone(ZONE)
                        .toInstant())
                .as("named by when it was made, in the time zone of the trash")
                .isBetween(
                        Instant.ofEpochMilli(began).plus(Duration.ofMinutes(15)),
                        Instant.ofEpochMilli(cluster.scheduler.currentTimeMillis()));
    }

    /** The old leader's removal is under way while the new one sweeps. */
    @Test
    void shouldDoNoHarmUnderTwoLeaders() {
        write(trash("ann").child(checkpoint(Duration.ofMinutes(30))).child("f"));
        throwAway("ann", "a");
        CompletableFuture<Void> held = cluster.store.holdNextCommit(
                mutations -> mutations.stream().anyMatch(Mutation.Delete.class::isInstance));
        while (!cluster.store.holds()) {
            cluster.advance(Duration.ofSeconds(1));
        }
        cluster.start(0);
        cluster.kill(cluster.instances.get(0));
        cluster.advance(Duration.ofMinutes(5));
        held.complete(null);
        cluster.advance(Duration.ofMinutes(5));

        assertThat(names(trash("ann"))).hasSize(1).doesNotContain("Current");
        cluster.wholeStore();
    }

    @Test
    void shouldLeaveNothingBehind() {
        Map<String, Long> first = null;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 6; i++) {
                throwAway("ann", round + "a" + i);
                throwAway("bob", round + "b" + i);
                cluster.advance(Duration.ofMinutes(7));
            }
            cluster.advance(LIFE.multipliedBy(3));
            first = first == null ? rows() : first;
            assertThat(rows()).as("after round %d", round).isEqualTo(first);
        }
        assertThat(names(trash("ann"))).isEmpty();
        cluster.wholeStore();
    }
}
