package io.lambdafs.client.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.block.Datanodes.Link;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DatanodesTest {
    private static final DatanodeAddress ONE = new DatanodeAddress("dn-1", "127.0.0.1", 1);
    private static final DatanodeAddress TWO = new DatanodeAddress("dn-2", "127.0.0.1", 2);
    private static final Duration KEPT = Duration.ofSeconds(20);

    private boolean isFull;
    private final ManualScheduler scheduler = new ManualScheduler() {
        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            if (isFull) {
                throw new FsException(ErrorCode.OVERLOADED, "full");
            }
            return super.schedule(delayNanos, task);
        }
    };
    private final MemoryDatanodes transport = new MemoryDatanodes();
    private final Datanodes datanodes = new Datanodes(transport, scheduler);

    private Link take(DatanodeAddress address) {
        return datanodes.take(address).toCompletableFuture().join();
    }

    private FsException refusal(DatanodeAddress address) {
        try {
            throw new AssertionError("got " + take(address));
        } catch (CompletionException e) {
            return FsException.of(e);
        }
    }

    @Test
    void shouldKeepAConnectionForTheNextThatAsksForItsDatanode() {
        Link first = take(ONE);
        assertThat(first.reused()).isFalse();
        assertThat(first.connection().isAuthenticated()).isTrue();
        datanodes.giveBack(first);
        assertThat(take(TWO).connection()).isNotSameAs(first.connection());
        Link again = take(ONE);
        assertThat(again.connection()).isSameAs(first.connection());
        assertThat(again.reused()).isTrue();
        assertThat(again.address()).isEqualTo(ONE);
        assertThat(take(ONE).connection()).isNotSameAs(first.connection());
    }

    @Test
    void shouldTakeTheOneThatWasUsedLast() {
        Link first = take(ONE);
        Link second = take(ONE);
        datanodes.giveBack(first);
        datanodes.giveBack(second);
        assertThat(take(ONE).connection()).isSameAs(second.connection());
    }

    @Test
    void shouldPassOverThoseThatHaveClosed() {
        Link first = take(ONE);
        Link second = take(ONE);
        datanodes.giveBack(first);
        datanodes.giveBack(second);
        second.connection().close();
        assertThat(take(ONE).connection()).isSameAs(first.connection());
        datanodes.giveBack(second);
        assertThat(take(ONE).reused()).isFalse();
    }

    @Test
    void shouldKeepSomeAndNoMore() {
        List<Link> all = IntStream.range(0, 9).mapToObj(i -> take(ONE)).toList();
        all.forEach(datanodes::giveBack);
        assertThat(all.subList(0, 8)).allMatch(link -> link.connection().isOpen());
        assertThat(all.get(8).connection().isOpen()).isFalse();
    }

    @Test
    void shouldCloseWhatHasBeenIdleForLong() {
        Link first = take(ONE);
        Link second = take(ONE);
        datanodes.giveBack(first);
        scheduler.advance(KEPT.dividedBy(2));
        datanodes.giveBack(second);
        scheduler.advance(KEPT.dividedBy(2).minusNanos(1));
        assertThat(first.connection().isOpen()).isTrue();
        scheduler.advance(1);
        assertThat(first.connection().isOpen()).isFalse();
        assertThat(second.connection().isOpen()).isTrue();
        scheduler.advance(KEPT);
        assertThat(second.connection().isOpen()).isFalse();
    }

    @Test
    void shouldKeepNothingThatNoTimerCloses() {
        Link link = take(ONE);
        isFull = true;
        datanodes.giveBack(link);
        assertThat(link.connection().isOpen()).isFalse();
    }

    @Test
    void shouldCloseAllAndTakeNoMore() {
        Link used = take(ONE);
        Link kept = take(TWO);
        datanodes.giveBack(kept);
        CompletableFuture<Connection> dialled = new CompletableFuture<>();
        transport.connecting = dialled;
        CompletableFuture<Link> late = datanodes.take(ONE).toCompletableFuture();
        datanodes.close();
        assertThat(used.connection().isOpen()).isFalse();
        assertThat(kept.connection().isOpen()).isFalse();
        assertThat(refusal(ONE).code()).isEqualTo(ErrorCode.CONNECTION_LOST);

        MemoryDatanodes.Line line = transport.line(1);
        dialled.complete(line);
        assertThat(late).isCompletedExceptionally();
        assertThat(line.isOpen()).isFalse();

        MemoryDatanodes.Line other = transport.line(1);
        datanodes.giveBack(new Link(ONE, other, false));
        assertThat(other.isOpen()).isFalse();
    }

    @Test
    void shouldAnswerDatanodesNothing() {
        take(ONE);
        List<Message> answers = new ArrayList<>();
        MemoryDatanodes.Line line = transport.lines.get(0);
        line.handler.request(line, Done.DONE, answers::add);
        assertThat(answers)
                .singleElement()
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @Test
    void shouldTellFailuresFromAnswers() {
        assertThat(Datanodes.failure(Done.DONE, null)).isNull();
        FsException failed = Datanodes.failure(new Failed(ErrorCode.STORE_FULL, "full"), null);
        assertThat(Objects.requireNonNull(failed).code()).isEqualTo(ErrorCode.STORE_FULL);
        FsException thrown = Datanodes.failure(null, new CompletionException(new FsException(ErrorCode.TIMED_OUT, "")));
        assertThat(Objects.requireNonNull(thrown).code()).isEqualTo(ErrorCode.TIMED_OUT);
    }

    @Test
    void shouldGoElsewhereUnlessTheBlockOrItsTokenIsRefused() {
        Set<ErrorCode> stays = EnumSet.of(
                ErrorCode.STALE_GENERATION,
                ErrorCode.TOKEN_EXPIRED,
                ErrorCode.UNAUTHENTICATED,
                ErrorCode.PERMISSION_DENIED,
                ErrorCode.INVALID_ARGUMENT,
                ErrorCode.ALREADY_EXISTS);
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(Datanodes.mayGoElsewhere(code)).as("%s", code).isEqualTo(!stays.contains(code));
        }
    }

    @Test
    void shouldTellWhatTheLastOneSaid() {
        for (ErrorCode code : ErrorCode.values()) {
            FsException last = new FsException(code, "it said so");
            FsException told = Datanodes.noneServes("read it", "blocks", last);
            boolean isTold = Set.of(
                            ErrorCode.OVERLOADED,
                            ErrorCode.STORE_FULL,
                            ErrorCode.BLOCK_CORRUPT,
                            ErrorCode.BLOCK_MISSING)
                    .contains(code);
            assertThat(told.code()).isEqualTo(isTold ? code : ErrorCode.UNAVAILABLE);
            assertThat(told).hasMessageContaining("it said so");
        }
    }
}
