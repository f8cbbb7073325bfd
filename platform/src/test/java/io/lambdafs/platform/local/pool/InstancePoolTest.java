package io.lambdafs.platform.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.local.instance.HeldFunction;
import io.lambdafs.platform.local.instance.ReplyTooLargeException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class InstancePoolTest {
    private static final PoolLimits ROOMY = PoolLimits.defaults().withPrewarm(0).withStartConcurrency(16);

    private PoolFixture fixture = new PoolFixture(ROOMY);

    private void limits(PoolLimits limits) {
        fixture.close();
        fixture = new PoolFixture(limits);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldStartColdThenServeWarm() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        CompletableFuture<Activation> first = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(first.get().startKind()).isEqualTo(StartKind.COLD);
        assertThat(first.get().initMillis()).isPresent();
        assertThat(first.get().outcome()).isEqualTo(Outcome.SUCCESS);
        CompletableFuture<Activation> second = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(second.get().startKind()).isEqualTo(StartKind.WARM);
        assertThat(second.get().initMillis()).isEmpty();
        assertThat(second.get().instanceId()).isEqualTo(first.get().instanceId());
        assertThat(fixture.functions).hasSize(1);
    }

    @Test
    void shouldSpeakTheActionProtocol() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 2);
        CompletableFuture<Activation> call = fixture.pool
                .invoke(action, "0123", "{\"x\":1}".getBytes(StandardCharsets.UTF_8), InetAddress.getByName("10.0.0.7"))
                .toCompletableFuture();
        await().until(() -> fixture.held() == 1);
        HeldFunction function = fixture.functions.get(0);
        assertThat(function.inits).singleElement().asString().contains("\"value\":{\"name\":\"f\"", "__OW_API_HOST");
        assertThat(function.runs.get(0).json())
                .startsWith("{\"value\":{\"x\":1},\"namespace\":\"guest\",\"action_name\":\"/guest/f\"")
                .contains("\"activation_id\":\"0123\"", "\"deadline\":\"", "\"client_address\":\"10.0.0.7\"");
        fixture.releaseAll();
        assertThat(new String(call.get().result(), StandardCharsets.UTF_8)).isEqualTo("{\"echo\":{\"x\":1}}");
    }

    @Test
    void shouldFillAnInstanceUpToItsConcurrencyBeforeItStartsAnother() {
        RegisteredAction action = fixture.put("f", 128, 3);
        for (int i = 0; i < 7; i++) {
            fixture.invoke(action);
        }
        await().until(() -> fixture.held() == 7);
        assertThat(fixture.functions).hasSize(3);
        assertThat(fixture.functions).allSatisfy(each -> assertThat(each.open()).hasSizeBetween(1, 3));
    }

    @Test
    void shouldNotStartMoreThanTheLimitAndServeTheRestInOrder() throws Exception {
        limits(ROOMY.withMaxInstances(2));
        RegisteredAction action = fixture.put("f", 128, 1);
        List<CompletableFuture<Activation>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(fixture.invoke(action));
        }
        await().until(() -> fixture.held() == 2);
        assertThat(fixture.share(action).queued()).isEqualTo(4);
        await().until(() -> {
            fixture.releaseAll();
            return calls.stream().allMatch(CompletableFuture::isDone);
        });
        assertThat(fixture.functions).hasSize(2);
        assertThat(fixture.ended).extracting(Activation::id).hasSize(6);
        assertThat(fixture.share(action).peakInstances()).isEqualTo(2);
    }

    @Test
    void shouldChangeTheLimitWhileItRuns() {
        limits(ROOMY.withMaxInstances(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        for (int i = 0; i < 3; i++) {
            fixture.invoke(action);
        }
        await().until(() -> fixture.held() == 1);
        fixture.pool.maxInstances(3);
        await().until(() -> fixture.held() == 3);
        fixture.releaseAll();
        fixture.pool.maxInstances(1);
        await().until(() -> fixture.instancesOf(action) == 1);
        assertThatThrownBy(() -> fixture.pool.maxInstances(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKeepTheInstanceThatHasServedForLongestWhereTheLimitFalls() {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        String first = fixture.pool.instances().get(0).id();
        fixture.invoke(action);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 3);
        fixture.releaseAll();
        await().until(() -> fixture.ended.size() == 3);
        fixture.pool.maxInstances(1);
        await().until(() -> fixture.pool.instances().size() == 1);
        assertThat(fixture.pool.instances()).extracting(InstanceView::id).containsExactly(first);
    }

    @Test
    void shouldScaleOutOnlyAsFarAsMemoryGoes() {
        limits(ROOMY.withMemoryMb(400));
        RegisteredAction action = fixture.put("f", 128, 1);
        for (int i = 0; i < 5; i++) {
            fixture.invoke(action);
        }
        await().until(() -> fixture.held() == 3);
        assertThat(fixture.pool.usage().memoryUsedMb()).isEqualTo(384);
        assertThat(fixture.share(action).queued()).isEqualTo(2);
        fixture.releaseAll();
        await().until(() -> fixture.held() == 2);
        assertThat(fixture.functions).hasSize(3);
    }

    @Test
    void shouldReclaimTheInstanceOfAnotherActionThatIsIdleForLongestAndNeverABusyOne() throws Exception {
        limits(ROOMY.withMemoryMb(300));
        RegisteredAction old = fixture.put("old", 100, 1);
        RegisteredAction recent = fixture.put("recent", 100, 1);
        RegisteredAction busy = fixture.put("busy", 100, 1);
        for (RegisteredAction each : List.of(old, recent)) {
            CompletableFuture<Activation> call = fixture.invoke(each);
            await().until(() -> fixture.held() == 1);
            fixture.releaseAll();
            call.get();
        }
        fixture.invoke(busy);
        await().until(() -> fixture.held() == 1);
        RegisteredAction hungry = fixture.put("hungry", 100, 1);
        fixture.invoke(hungry);
        await().until(() -> fixture.held() == 2);
        assertThat(fixture.instancesOf(old)).isZero();
        assertThat(fixture.instancesOf(recent)).isEqualTo(1);
        fixture.invoke(hungry);
        await().until(() -> fixture.held() == 3);
        assertThat(fixture.instancesOf(recent)).isZero();
        fixture.invoke(hungry);
        await().during(Duration.ofMillis(200)).until(() -> fixture.held() == 3);
        assertThat(fixture.instancesOf(busy)).isEqualTo(1);
    }

    @Test
    void shouldLetAWarmInstanceTakeWhatWaitsWhileAColdOneStarts() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        CompletableFuture<Void> slowStart = new CompletableFuture<>();
        fixture.gate = slowStart;
        CompletableFuture<Activation> waiting = fixture.invoke(action);
        await().until(() -> fixture.instancesOf(action) == 2);
        assertThat(waiting).isNotDone();
        fixture.releaseAll();
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(waiting.get().startKind()).isEqualTo(StartKind.WARM);
        slowStart.complete(null);
        await().until(() -> fixture.functions.size() == 2);
    }

    @Test
    void shouldPreferTheInstanceUsedLast() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        fixture.functions.get(0).open().get(0).release();
        await().until(() -> fixture.ended.size() == 1);
        fixture.functions.get(1).open().get(0).release();
        await().until(() -> fixture.ended.size() == 2);
        String last = fixture.ended.get(1).instanceId();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Activation> next = fixture.invoke(action);
            await().until(() -> fixture.held() == 1);
            fixture.releaseAll();
            assertThat(next.get().instanceId()).isEqualTo(last);
        }
    }

    private static String costOfSteady(double multiple) {
        return "# TYPE lambdafs_cost_of_steady gauge\nlambdafs_cost_of_steady " + multiple + "\n";
    }

    @Test
    void shouldPreferAWarmInstanceAndUseAColdOneWhereNoOtherHasRoom() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        HeldFunction warm = fixture.functions.get(0);
        HeldFunction cold = fixture.functions.get(1);
        warm.metrics = costOfSteady(1.1);
        cold.metrics = costOfSteady(Instance.COLD);
        warm.open().get(0).release();
        await().until(() -> fixture.ended.size() == 1);
        cold.open().get(0).release();
        await().until(() -> fixture.ended.size() == 2);
        await().until(() -> fixture.pool.instances().stream()
                .allMatch(each -> each.ofSteadyCost().isPresent()));
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Activation> next = fixture.invoke(action);
            await().until(() -> fixture.held() == 1);
            assertThat(cold.open()).as("it was used last, and is cold").isEmpty();
            fixture.releaseAll();
            next.get();
        }
        fixture.invoke(action);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        assertThat(cold.open()).hasSize(1);
        assertThat(fixture.functions).hasSize(2);
    }

    @Test
    void shouldScaleInToZeroAndLetInstancesLeaveInOrder() {
        limits(ROOMY.withKeepAlive(Duration.ofMillis(150)));
        RegisteredAction action = fixture.put("f", 128, 1);
        for (int i = 0; i < 3; i++) {
            fixture.invoke(action);
        }
        await().until(() -> fixture.held() == 3);
        await().during(Duration.ofMillis(300)).until(() -> fixture.instancesOf(action) == 3);
        fixture.releaseAll();
        await().until(() -> fixture.pool.instances().isEmpty());
        assertThat(fixture.functions).allMatch(each -> each.closed && !each.aborted);
        assertThat(fixture.pool.usage().memoryUsedMb()).isZero();
        assertThat(fixture.share(action).peakInstances()).isEqualTo(3);
        assertThat(fixture.share(action).activations()).isEqualTo(3);
    }

    @Test
    void shouldKeepTheLastInstanceAsLongAsItServesAnythingOverTcp() throws Exception {
        limits(ROOMY.withKeepAlive(Duration.ofMillis(2_500)));
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        fixture.releaseAll();
        for (int turn = 1; turn <= 35; turn++) {
            String billed = "# TYPE lambdafs_billed_milliseconds_total counter\nlambdafs_billed_milliseconds_total "
                    + turn + ".0\n";
            fixture.functions.forEach(each -> each.metrics = billed);
            TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(fixture.instancesOf(action))
                .as("two serve little, one serves it")
                .isEqualTo(1);
        await().until(() -> fixture.pool.instances().isEmpty());
        assertThat(fixture.functions).hasSize(2);
    }

    @Test
    void shouldKeepInstancesForACallerThatCallsAllActionsByTurns() throws Exception {
        limits(ROOMY.withKeepAlive(Duration.ofMillis(150)));
        List<RegisteredAction> actions = IntStream.range(0, 4)
                .mapToObj(i -> fixture.put("f" + i, 128, 1))
                .toList();
        for (int turn = 0; turn < 3; turn++) {
            for (RegisteredAction action : actions) {
                fixture.gate = new CompletableFuture<Void>().completeOnTimeout(null, 100, TimeUnit.MILLISECONDS);
                CompletableFuture<Activation> call = fixture.invoke(action);
                await().until(() -> fixture.held() == 1);
                fixture.releaseAll();
                assertThat(call.get().outcome()).isEqualTo(Outcome.SUCCESS);
            }
        }
        assertThat(fixture.functions).as("instances that were started").hasSize(actions.size());
        await().until(() -> fixture.pool.instances().isEmpty());
    }

    @Test
    void shouldRefuseWhatExceedsTheQueueAndFailWhatWaitsTooLong() throws Exception {
        limits(ROOMY.withMaxInstances(1).withQueue(2, Duration.ofMillis(200)));
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        CompletableFuture<Activation> waiting = fixture.invoke(action);
        fixture.invoke(action);
        assertThatThrownBy(() -> fixture.invoke(action))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Too many concurrent requests in flight (count: 3, allowed: 2).")
                .extracting(e -> ((RefusedException) e).status())
                .isEqualTo(429);
        assertThat(waiting.get().outcome()).isEqualTo(Outcome.NO_CAPACITY);
        assertThat(waiting.get().outcome().httpStatus()).isEqualTo(503);
    }

    @Test
    void shouldKeepPrewarmedInstancesAndUseThem() throws Exception {
        limits(ROOMY.withPrewarm(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        RegisteredAction twin = fixture.put("twin", 128, 1);
        await().until(() -> fixture.prewarmed() == 1);
        await().during(Duration.ofMillis(200)).until(() -> fixture.functions.size() == 1);
        assertThat(fixture.functions.get(0).inits).isEmpty();
        assertThat(fixture.instancesOf(action)).isZero();
        CompletableFuture<Activation> call = fixture.invoke(twin);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(call.get().startKind()).isEqualTo(StartKind.PREWARMED);
        assertThat(call.get().initMillis()).isPresent();
        await().until(() -> fixture.prewarmed() == 1);
        fixture.pool.remove("f");
        fixture.pool.remove("twin");
        await().until(() -> fixture.pool.instances().isEmpty());
    }

    @Test
    void shouldPrewarmAnotherOneAfterTheFirstReplyOnly() throws Exception {
        limits(ROOMY.withPrewarm(1).withStartConcurrency(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        await().until(() -> fixture.prewarmed() == 1);
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        await().during(Duration.ofMillis(300)).until(() -> fixture.functions.size() == 1);
        fixture.releaseAll();
        assertThat(call.get().startKind()).isEqualTo(StartKind.PREWARMED);
        await().until(() -> fixture.prewarmed() == 1);
    }

    @Test
    void shouldPrewarmNoOtherWhileABurstTakesInstances() throws Exception {
        limits(ROOMY.withPrewarm(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        await().until(() -> fixture.prewarmed() == 1);
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(call.get().startKind()).isEqualTo(StartKind.PREWARMED);
        await().during(Duration.ofSeconds(1)).until(() -> fixture.functions.size() == 1);
        await().until(() -> fixture.prewarmed() == 1);
    }

    @Test
    void shouldPrewarmAnotherOneWhereTheFirstReplyTakesLong() {
        limits(ROOMY.withPrewarm(1).withStartConcurrency(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        await().until(() -> fixture.prewarmed() == 1);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        await().until(() -> fixture.prewarmed() == 1);
    }

    @Test
    void shouldHurryAStartThatSomebodyWaitsForFromNowOn() {
        limits(ROOMY.withPrewarm(1));
        fixture.gate = new CompletableFuture<>();
        RegisteredAction action = fixture.put("f", 128, 1);
        await().until(() -> fixture.pool.instances().size() == 1);
        String starting = fixture.pool.instances().get(0).id();
        assertThat(fixture.hurried).isEmpty();
        fixture.invoke(action);
        await().until(() -> fixture.hurried.contains(starting));
        assertThat(fixture.instancesOf(action)).isEqualTo(1);
        fixture.gate.complete(null);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
    }

    @Test
    void shouldReplaceAPrewarmedInstanceThatDies() {
        limits(ROOMY.withPrewarm(1));
        fixture.put("f", 128, 1);
        await().until(() -> fixture.prewarmed() == 1);
        String id = fixture.pool.instances().get(0).id();
        assertThat(fixture.pool.kill(id)).isTrue();
        await().until(() -> fixture.prewarmed() == 1
                && !fixture.pool.instances().get(0).id().equals(id));
    }

    @Test
    void shouldBoundTheStartsAtOnce() {
        limits(ROOMY.withStartConcurrency(2));
        CompletableFuture<Void> gate = new CompletableFuture<>();
        fixture.gate = gate;
        RegisteredAction action = fixture.put("f", 128, 1);
        for (int i = 0; i < 5; i++) {
            fixture.invoke(action);
        }
        await().during(Duration.ofMillis(200))
                .until(() -> fixture.pool.instances().size() == 2);
        gate.complete(null);
        await().until(() -> fixture.held() == 5);
    }

    @Test
    void shouldFailTheCallersOfAKilledInstanceAtOnce() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 2);
        CompletableFuture<Activation> one = fixture.invoke(action);
        CompletableFuture<Activation> two = fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        assertThat(fixture.pool.kill("i-unknown")).isFalse();
        assertThat(fixture.pool.kill(fixture.pool.instances().get(0).id())).isTrue();
        for (CompletableFuture<Activation> each : List.of(one, two)) {
            assertThat(each.get().outcome()).isEqualTo(Outcome.DEVELOPER_ERROR);
            assertThat(new String(each.get().result(), StandardCharsets.UTF_8)).contains("exited unexpectedly");
        }
        assertThat(fixture.functions.get(0).aborted).isTrue();
        assertThat(fixture.functions.get(0).closed).isFalse();
    }

    @Test
    void shouldKillAnInstanceWhoseRunOrInitExceedsTheTimeLimit() throws Exception {
        RegisteredAction action = fixture.put("f", new ActionLimits(400, 128, 1, 1));
        Activation slow = fixture.invoke(action).get();
        assertThat(slow.outcome()).isEqualTo(Outcome.DEVELOPER_ERROR);
        assertThat(new String(slow.result(), StandardCharsets.UTF_8))
                .contains("The action exceeded its time limits of 400 milliseconds.");
        await().until(() -> fixture.functions.get(0).aborted);
        fixture.holdInit = true;
        Activation slowInit = fixture.invoke(action).get();
        assertThat(new String(slowInit.result(), StandardCharsets.UTF_8))
                .contains("The action exceeded its time limits of 400 milliseconds during initialization.");
        await().until(() -> fixture.functions.get(1).aborted);
        await().until(() -> fixture.pool.instances().isEmpty());
    }

    @Test
    void shouldFailWhatWaitsWhenNoInstanceStartsAndTryAgainLater() throws Exception {
        fixture.gate = CompletableFuture.failedFuture(new IllegalStateException("planted"));
        RegisteredAction action = fixture.put("f", 128, 1);
        assertThat(fixture.invoke(action).get().outcome()).isEqualTo(Outcome.DEVELOPER_ERROR);
        fixture.gate = CompletableFuture.completedFuture(null);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        assertThat(fixture.pool.usage().memoryUsedMb()).isEqualTo(128);
    }

    @Test
    void shouldTellThatTheDiskIsFullAndTryAgainLater() throws Exception {
        fixture.gate = CompletableFuture.failedFuture(
                FileTrouble.of("cannot start instance", new IOException("No space left on device")));
        RegisteredAction action = fixture.put("f", 128, 1);
        Activation refused = fixture.invoke(action).get();
        assertThat(refused.outcome()).isEqualTo(Outcome.DISK_FULL);
        assertThat(new String(refused.result(), StandardCharsets.UTF_8))
                .contains("cannot start instance: the disk is full");
        fixture.gate = CompletableFuture.completedFuture(null);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
    }

    @Test
    void shouldLetCallsWaitWhileThePlatformHasNoRoom() throws Exception {
        fixture.gate = CompletableFuture.failedFuture(new FsException(ErrorCode.THROTTLED, "exceeded quota"));
        RegisteredAction action = fixture.put("f", 128, 1);
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.pool.events().after(0).size() >= 2); // It was tried again.
        assertThat(call).isNotDone();
        fixture.gate = CompletableFuture.completedFuture(null);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(call.get().outcome()).isEqualTo(Outcome.SUCCESS);
    }

    @Test
    void shouldServeByInstancesThatAnotherGatewayStarted() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.takeOver("found", 128, "f");
        fixture.takeOver("spare", 128, "");
        fixture.takeOver("other", 128, "forgotten");
        fixture.takeOver("small", 64, "f");
        CompletableFuture<Activation> first = fixture.invoke(action);
        CompletableFuture<Activation> second = fixture.invoke(action);
        await().until(() -> fixture.held() == 2);
        fixture.releaseAll();
        assertThat(first.get().instanceId()).isEqualTo("found");
        assertThat(first.get().startKind()).isEqualTo(StartKind.WARM);
        assertThat(second.get().instanceId()).isEqualTo("spare");
        assertThat(second.get().startKind()).isEqualTo(StartKind.PREWARMED);
        await().untilAsserted(() -> assertThat(fixture.pool.instances())
                .as("of no action, or of another memory")
                .extracting(InstanceView::id)
                .containsExactlyInAnyOrder("found", "spare"));
    }

    @Test
    void shouldTellApplicationErrorsFromBadReplies() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        assertThat(replied(action, "{\"error\":\"no\"}").outcome()).isEqualTo(Outcome.APPLICATION_ERROR);
        assertThat(fixture.instancesOf(action)).isEqualTo(1);
        Activation bad = replied(action, "[1]");
        assertThat(bad.outcome()).isEqualTo(Outcome.DEVELOPER_ERROR);
        assertThat(new String(bad.result(), StandardCharsets.UTF_8)).contains("did not produce a valid JSON response");
        await().until(() -> fixture.instancesOf(action) == 0);
    }

    private Activation replied(RegisteredAction action, String reply) throws Exception {
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.functions.forEach(function ->
                function.open().forEach(held -> held.reply().complete(reply.getBytes(StandardCharsets.UTF_8))));
        return call.get();
    }

    @Test
    void shouldReplaceInstancesOfAnOldRevisionAndForgetRemovedActions() throws Exception {
        RegisteredAction old = fixture.put("f", 128, 1);
        CompletableFuture<Activation> call = fixture.invoke(old);
        await().until(() -> fixture.held() == 1);
        RegisteredAction next = fixture.put("f", 128, 1);
        fixture.releaseAll();
        assertThat(call.get().outcome()).isEqualTo(Outcome.SUCCESS);
        await().until(() -> fixture.functions.get(0).closed);
        CompletableFuture<Activation> renewed = fixture.invoke(next);
        await().until(() -> fixture.held() == 1);
        fixture.pool.remove("f");
        assertThatThrownBy(() -> fixture.invoke(next)).isInstanceOf(RefusedException.class);
        fixture.releaseAll();
        assertThat(renewed.get().outcome()).isEqualTo(Outcome.SUCCESS);
        await().until(() -> fixture.pool.instances().isEmpty());
        assertThat(fixture.pool.usage().total().activations()).isEqualTo(2);
    }

    @Test
    void shouldBillWhatAnInstanceCountsElseItsInvocations() throws Exception {
        RegisteredAction action = fixture.put("f", 1024, 1);
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        call.get();
        long own = fixture.share(action).billedMillis();
        assertThat(own).isPositive().isLessThanOrEqualTo(fixture.share(action).provisionedMillis() + 1);
        fixture.functions.get(0).metrics =
                "# TYPE lambdafs_billed_milliseconds_total counter\nlambdafs_billed_milliseconds_total 123456.0\n";
        await().until(() -> fixture.share(action).billedMillis() == 123_456);
        assertThat(fixture.share(action).billedMbMillis()).isEqualTo(123_456L * 1024);
        fixture.pool.kill(fixture.pool.instances().get(0).id());
        await().until(() -> fixture.pool.instances().isEmpty());
        assertThat(fixture.share(action).billedMillis()).isEqualTo(123_456);
    }

    private static String page(double ofShare) {
        return "# TYPE lambdafs_billed_milliseconds_total counter\nlambdafs_billed_milliseconds_total 1.0\n"
                + "# TYPE lambdafs_cpu_of_share gauge\nlambdafs_cpu_of_share " + ofShare + "\n";
    }

    @Test
    void shouldStartOneMoreAheadWhereAllServeWithMoreThanTheirShare() throws Exception {
        RegisteredAction action = fixture.put("f", 1024, 4);
        long began = System.nanoTime();
        CompletableFuture<Activation> call = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.functions.get(0).metrics = page(1.4);
        fixture.releaseAll();
        call.get();

        await().until(() -> fixture.instancesOf(action) == 2);
        assertThat(System.nanoTime() - began)
                .as("not while it is new, and loads its code")
                .isGreaterThanOrEqualTo(Instance.NEW_NANOS);
        fixture.functions.get(1).metrics = page(0.3);
        await("one of two has time left")
                .during(Duration.ofNanos(Instance.NEW_NANOS).plusSeconds(2))
                .until(() -> fixture.instancesOf(action) == 2);
        assertThat(fixture.held()).as("nobody waited").isZero();
    }

    @Test
    void shouldKeepTheCountsOfInstancesThatHaveGone() throws Exception {
        RegisteredAction action = fixture.put("f", 1024, 1);
        for (int i = 1; i <= 2; i++) {
            CompletableFuture<Activation> call = fixture.invoke(action);
            await().until(() -> fixture.held() == 1);
            fixture.releaseAll();
            call.get();
            int hits = i * 10;
            fixture.functions.get(i - 1).metrics =
                    "# TYPE lambdafs_cache_hits_total counter\nlambdafs_cache_hits_total{role=\"entry\"} 10.0\n# TYPE held gauge\nheld 7.0\n";
            await().until(() ->
                    fixture.pool.functionMetrics().sum("lambdafs_cache_hits_total", "role", "entry") == hits);
            assertThat(fixture.pool.functionMetrics().sum("held")).isEqualTo(7);
            assertThat(fixture.pool.instances().get(0).cacheHits()).isEqualTo(10);
            fixture.pool.kill(fixture.pool.instances().get(0).id());
            await().until(() -> fixture.pool.instances().isEmpty());
            assertThat(fixture.pool.functionMetrics().sum("lambdafs_cache_hits_total"))
                    .isEqualTo(hits);
            assertThat(fixture.pool.functionMetrics().has("held")).isFalse();
        }
    }

    @Test
    void shouldEndEverythingWhenClosed() throws Exception {
        limits(ROOMY.withMaxInstances(1).withPrewarm(1));
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        CompletableFuture<Activation> waiting = fixture.invoke(action);
        await().until(() -> fixture.share(action).queued() == 1);
        fixture.pool.close();
        assertThat(waiting.get().outcome()).isEqualTo(Outcome.NO_CAPACITY);
        assertThat(fixture.functions).allMatch(each -> each.closed);
        assertThatThrownBy(() -> fixture.invoke(action))
                .isInstanceOf(RefusedException.class)
                .extracting(e -> ((RefusedException) e).status())
                .isEqualTo(503);
    }

    @Test
    void shouldAnswerAndGoOnWhereWhoIsToldOfAnEndThrows() throws Exception {
        limits(ROOMY.withMaxInstances(1).withKeepAlive(Duration.ofMillis(150)).withQueue(10, Duration.ofMillis(100)));
        fixture.onEnd = activation -> {
            throw new IllegalStateException("thrown on purpose");
        };
        RegisteredAction action = fixture.put("f", 128, 1);
        CompletableFuture<Activation> served = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        for (int i = 0; i < 2; i++) {
            assertThat(fixture.invoke(action).get().outcome())
                    .as("what waited too long")
                    .isEqualTo(Outcome.NO_CAPACITY);
        }
        fixture.releaseAll();
        assertThat(served.get().outcome()).isEqualTo(Outcome.SUCCESS);
        await().until(() -> fixture.pool.instances().isEmpty());
    }

    @Test
    void shouldTellOfAReplyThatIsTooLargeAndKeepTheInstance() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.runFailure = new ReplyTooLargeException(1_048_576);
        Activation failed = fixture.invoke(action).get();
        assertThat(failed.outcome().httpStatus()).isEqualTo(502);
        assertThat(new String(failed.result(), StandardCharsets.UTF_8))
                .isEqualTo("{\"error\":\"The action produced a response that exceeded the allowed length:"
                        + " > 1048576 bytes.\"}");
        fixture.runFailure = null;
        CompletableFuture<Activation> next = fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
        fixture.releaseAll();
        assertThat(next.get().instanceId()).isEqualTo(failed.instanceId());
        assertThat(next.get().startKind()).isEqualTo(StartKind.WARM);
        assertThat(fixture.functions).hasSize(1);
    }

    @Test
    void shouldFailACallThatCannotBeGivenAndServeOthers() throws Exception {
        RegisteredAction action = fixture.put("f", 128, 1);
        fixture.runFailure = new IllegalStateException("thrown on purpose");
        assertThat(fixture.invoke(action).get().outcome()).isEqualTo(Outcome.DEVELOPER_ERROR);
        fixture.runFailure = null;
        fixture.invoke(action);
        await().until(() -> fixture.held() == 1);
    }
}
