package io.lambdafs.functions.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.CacheStats;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.serving.BillingMeter;
import io.lambdafs.functions.serving.ClientConnections;
import io.lambdafs.functions.serving.ClientRanges;
import io.lambdafs.functions.serving.CpuShare;
import io.lambdafs.functions.serving.RequestGate;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FunctionMetricsTest {
    private static final Principal ALICE = new Principal("alice", List.of("staff"));
    private static final FsPath DEEP = FsPath.of("/a/b/c");
    private static final Operation<?> STAT = new ReadOperation.Stat(DEEP);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final ManualScheduler scheduler = new ManualScheduler();
    private long usedNanos;
    private final OperationStatistics operations = new OperationStatistics(scheduler::currentTimeMillis);
    private final PathTrie trie = new PathTrie(CacheLimits.DEFAULT);
    private final InFlight inFlight = new InFlight(10);
    private final BillingMeter meter = new BillingMeter(scheduler);
    private final List<Consumer<OperationReply>> executing = new ArrayList<>();
    private final RequestGate gate = new RequestGate(
            new RequestGate.Answerer(3, () -> 42, (caller, request, reply) -> executing.add(reply)),
            new CpuShare(2, () -> usedNanos, scheduler),
            meter);
    private final FunctionMetrics metrics = new FunctionMetrics(
            new FunctionMetrics.Sources(
                    operations,
                    trie,
                    inFlight,
                    gate,
                    meter,
                    new ClientConnections(
                            kind -> {
                                throw new UnsupportedOperationException();
                            },
                            Tokens.signed(Secret.generate()),
                            new ClientConnections.Self(3, "i7", () -> 42),
                            gate,
                            scheduler,
                            ClientRanges.NONE)),
            3);

    private static OperationRequest request(int attempt) {
        return new OperationRequest(1, new RequestId(1, 2, 3, 4), attempt, 1, STAT);
    }

    private void assertShows(String name, String labels, double value) {
        assertThat(metrics.page()
                        .lines()
                        .filter(line -> line.startsWith(name + "{")
                                && line.contains("deployment=\"3\"")
                                && line.contains(labels)))
                .as("%s{%s}", name, labels)
                .singleElement()
                .satisfies(line -> assertThat(Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                        .isEqualTo(value));
    }

    @Test
    void shouldShowWhatWasServed() {
        gate.serveTcp(ALICE, request(1), reply -> {});
        gate.serveTcp(ALICE, request(2), reply -> {});
        gate.serveHttp(ALICE, request(1), reply -> {});
        inFlight.begin(DEEP, null);
        assertShows("lambdafs_requests_under_way", "", 3);
        assertShows("lambdafs_operations_in_flight", "", 1);
        scheduler.advance(Duration.ofMillis(7));
        executing.forEach(reply -> reply.accept(new OperationReply(3, 42, true, Reply.Done.YES)));
        assertShows("lambdafs_requests_total", "transport=\"tcp\"", 2);
        assertShows("lambdafs_requests_total", "transport=\"http\"", 1);
        assertShows("lambdafs_retries_total", "", 1);
        assertShows("lambdafs_overloaded_total", "", 0);
        assertShows("lambdafs_requests_under_way", "", 0);
        assertShows("lambdafs_billed_milliseconds_total", "", (double) meter.billedMillis());
        assertThat(meter.billedMillis()).isPositive();
        assertShows("lambdafs_client_connections", "", 0);
    }

    @Test
    void shouldShowWhoAskedForWhat() {
        operations.arrived("ann", STAT.kind());
        operations.arrived("ann", STAT.kind());
        assertThat(metrics.page().lines()).contains("lambdafs_user_operations{operation=\"stat\",user=\"ann\"} 2.0");
    }

    @Test
    void shouldShowHowMuchOfItsCpuShareAnInstanceUses() {
        assertShows("lambdafs_cpu_of_share", "", 0);
        usedNanos = 500 * MILLISECOND;
        scheduler.advance(Duration.ofSeconds(1));
        assertShows("lambdafs_cpu_of_share", "", 0.25);
    }

    @Test
    void shouldShowWhatTheCacheAnswered() {
        operations.answered(STAT, Reply.Done.YES, true, MILLISECOND);
        operations.answered(STAT, Reply.Done.YES, false, MILLISECOND);
        ReadOperation.ListPage list = new ReadOperation.ListPage(DEEP, "", 1);
        operations.answered(list, new Reply.Page(List.of(), false), true, MILLISECOND);
        operations.answered(list, new Reply.Page(List.of(), false), false, MILLISECOND);
        for (Telemetry.Listed from : Telemetry.Listed.values()) {
            operations.listed(from);
        }
        operations.answered(new NamespaceOperation.Delete(DEEP, false), Reply.Done.YES, true, MILLISECOND);
        operations.resolved(5, 7);
        assertShows("lambdafs_cache_hits_total", "role=\"entry\"", 1);
        assertShows("lambdafs_cache_misses_total", "role=\"entry\"", 1);
        assertShows("lambdafs_cache_hits_total", "role=\"listing\"", 3);
        assertShows("lambdafs_cache_misses_total", "role=\"listing\"", 2);
        assertShows("lambdafs_listings_total", "from=\"cache\"", 2);
        assertShows("lambdafs_listings_total", "from=\"repaired\"", 1);
        assertShows("lambdafs_listings_total", "from=\"filled\"", 1);
        assertShows("lambdafs_listings_total", "from=\"page\"", 1);
        assertShows("lambdafs_cache_hits_total", "role=\"link\"", 5 + 2 * DEEP.depth());
        assertShows("lambdafs_cache_misses_total", "role=\"link\"", 7);
        for (String none : List.of("evictions", "invalidated_paths", "voided_fills", "refused_fills")) {
            assertShows("lambdafs_cache_" + none + "_total", "", 0);
        }
    }

    @Test
    void shouldShowHowFullTheCacheIs() {
        INode root = INode.directory(0, "", INode.ROOT_ID, "root", "supergroup", 0755, 1);
        INode child = INode.directory(INode.ROOT_ID, "a", 2, "root", "supergroup", 0755, 1);
        trie.open();
        List<Fill> fills =
                List.of(new Fill.Link(FsPath.ROOT, root), new Fill.Children(FsPath.ROOT, Listing.of(List.of(child))));
        assertThat(trie.publish(trie.ticket(), fills)).isTrue();
        CacheStats stats = trie.stats();
        assertThat(List.of(stats.bytes(), stats.inodes(), stats.listings())).doesNotContain(0L);
        assertShows("lambdafs_cache_bytes", "", (double) stats.bytes());
        assertShows("lambdafs_cache_inodes", "", (double) stats.inodes());
        assertShows("lambdafs_cache_listings", "", (double) stats.listings());
    }

    @Test
    void shouldShowRoundsAndFailures() {
        operations.round(3, 2 * MILLISECOND);
        operations.subtreeRound(4, 3 * MILLISECOND);
        operations.reclaimed(9);
        operations.answered(STAT, new Reply.Failure(ErrorCode.NOT_FOUND, "none"), false, 5 * MILLISECOND);
        assertShows("lambdafs_invalidations_sent_total", "", 7);
        assertShows("lambdafs_reclaimed_rows_total", "", 9);
        assertShows("lambdafs_failures_total", "code=\"NOT_FOUND\",deployment=\"3\",kind=\"refusal\"", 1);
        assertShows("lambdafs_failures_total", "code=\"TIMED_OUT\",deployment=\"3\",kind=\"fault\"", 0);
        assertShows("lambdafs_invalidation_round_seconds_count", "kind=\"inode\"", 1);
        assertShows("lambdafs_invalidation_round_seconds_sum", "kind=\"inode\"", 0.002);
        assertShows("lambdafs_invalidation_round_seconds_sum", "kind=\"subtree\"", 0.003);
        assertShows("lambdafs_operation_seconds_sum", "operation=\"stat\"", 0.005);
        assertThat(metrics.page()).doesNotContain("operation=\"delete\"");
    }
}
