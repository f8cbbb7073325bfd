package io.lambdafs.functions.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RequestGateTest {
    private static final Principal ALICE = new Principal("alice", List.of("staff"));
    private static final OperationRequest STAT =
            new OperationRequest(1, new RequestId(1, 2, 3, 4), 1, 1, new ReadOperation.Stat(FsPath.ROOT));

    private final ManualScheduler scheduler = new ManualScheduler();
    private final BillingMeter meter = new BillingMeter(scheduler);
    private final List<Consumer<OperationReply>> executing = new ArrayList<>();
    private final List<OperationReply> replies = new ArrayList<>();
    private long usedNanos;

    private RequestGate gate(RequestExecutor executor) {
        CpuShare cpu = new CpuShare(1, () -> usedNanos, scheduler);
        return new RequestGate(new RequestGate.Answerer(3, () -> 42, executor), cpu, meter);
    }

    private final RequestGate gate = gate((caller, request, reply) -> executing.add(reply));

    private static OperationReply done() {
        return new OperationReply(3, 42, true, Reply.Done.YES);
    }

    private ErrorCode refusal(int index) {
        return ((Reply.Failure) replies.get(index).reply()).code();
    }

    @Test
    void shouldPassRequestsAndBillThem() {
        gate.serveTcp(ALICE, STAT, replies::add);
        gate.serveHttp(ALICE, STAT, replies::add);
        assertThat(gate.underWay()).isEqualTo(2);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(9_000));
        executing.forEach(reply -> reply.accept(done()));
        executing.forEach(reply -> reply.accept(done()));
        assertThat(replies).hasSize(2);
        assertThat(gate.underWay()).isZero();
        assertThat(gate.byTcp()).isEqualTo(1);
        assertThat(gate.byHttp()).isEqualTo(1);
        assertThat(meter.billedMillis()).isEqualTo(10);
    }

    @Test
    void shouldCountWhatWasSentBefore() {
        OperationRequest again = new OperationRequest(1, STAT.id(), 2, STAT.deadlineMillis(), STAT.operation());
        gate.serveTcp(ALICE, STAT, replies::add);
        gate.serveTcp(ALICE, again, replies::add);
        gate.serveHttp(ALICE, again, replies::add);
        assertThat(gate.retries()).isEqualTo(2);
    }

    @Test
    void shouldQueueAFewByTcpThenAnswerOverloadedAndStillTakeHttpWhenItsShareIsUsedUp() {
        gate.serveTcp(ALICE, STAT, replies::add);
        usedNanos += 150_000_000;
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(5_000));
        for (int i = 0; i < RequestGate.MAX_QUEUED; i++) {
            gate.serveTcp(ALICE, STAT, replies::add);
        }
        assertThat(replies).isEmpty();
        gate.serveTcp(ALICE, STAT, replies::add);
        assertThat(refusal(0)).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(replies.get(0).deployment()).isEqualTo(3);
        assertThat(replies.get(0).epoch()).isEqualTo(42);
        assertThat(gate.overloaded()).isEqualTo(1);
        gate.serveHttp(ALICE, STAT, replies::add);
        assertThat(executing).hasSize(1);
        assertThat(gate.underWay()).isEqualTo(RequestGate.MAX_QUEUED + 2);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(200_000));
        assertThat(executing).hasSize(RequestGate.MAX_QUEUED + 2);
        executing.forEach(reply -> reply.accept(done()));
        assertThat(gate.underWay()).isZero();
    }

    @Test
    void shouldAnswerWhatTheExecutorThrows() {
        gate((caller, request, reply) -> {
                    throw new IllegalStateException("broken");
                })
                .serveTcp(ALICE, STAT, replies::add);
        assertThat(refusal(0)).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void shouldEndAndBillARequestWhoseReplyCannotBeSent() {
        gate.serveTcp(ALICE, STAT, reply -> {
            throw new IllegalStateException("the connection is gone");
        });
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(9_000));
        assertThatThrownBy(() -> executing.get(0).accept(done())).hasMessage("the connection is gone");
        assertThat(gate.underWay()).isZero();
        assertThat(meter.billedMillis()).isEqualTo(10);
        scheduler.advance(TimeUnit.MICROSECONDS.toNanos(9_000));
        assertThat(meter.billedMillis()).isEqualTo(10);
    }

    @Test
    void shouldRefuseWhenLeavingAndDrainWhatItLetIn() {
        gate.serveTcp(ALICE, STAT, replies::add);
        gate.close();
        gate.close();
        gate.serveTcp(ALICE, STAT, replies::add);
        gate.serveHttp(ALICE, STAT, replies::add);
        assertThat(refusal(0)).isEqualTo(ErrorCode.NOT_READY);
        assertThat(refusal(1)).isEqualTo(ErrorCode.NOT_READY);
        assertThat(gate.drained().toCompletableFuture()).isNotDone();
        executing.get(0).accept(done());
        assertThat(gate.drained().toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldBeDrainedAtOnceWhenNothingIsUnderWay() {
        gate.close();
        assertThat(gate.drained().toCompletableFuture()).isCompleted();
    }
}
