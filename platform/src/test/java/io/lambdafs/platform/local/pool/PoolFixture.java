package io.lambdafs.platform.local.pool;

import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.local.instance.HeldFunction;
import io.lambdafs.platform.local.instance.InJvmLauncher;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.instance.RunningInstance;
import io.lambdafs.rpc.SystemScheduler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pool whose functions a test answers by hand. */
final class PoolFixture implements AutoCloseable {
    final List<HeldFunction> functions = new CopyOnWriteArrayList<>();
    final List<Activation> ended = new CopyOnWriteArrayList<>();
    /** Instances that somebody waits for, and that were started ahead. */
    final List<String> hurried = new CopyOnWriteArrayList<>();

    final InstancePool pool;

    /** Launches wait for it. */
    volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    /** Told of every activation as well. */
    volatile Consumer<Activation> onEnd = activation -> {};
    /** Each invocation fails with it, where there is one. */
    volatile @Nullable Throwable runFailure;
    /** True if new functions have to be initialised by hand. */
    volatile boolean holdInit;

    private final SystemScheduler scheduler = new SystemScheduler("test", 4, 10_000);
    private final AtomicInteger ids = new AtomicInteger();
    private final InJvmLauncher inJvm;

    PoolFixture(PoolLimits limits) {
        inJvm = new InJvmLauncher(Map.of("test", this::function), scheduler);
        InstanceLauncher gated = new InstanceLauncher() {
            @Override
            public Set<String> kinds() {
                return inJvm.kinds();
            }

            @Override
            public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
                return gate.thenCompose(open -> inJvm.launch(kind, memoryMb, instanceId))
                        .thenApply(PoolFixture.this::failing);
            }

            @Override
            public void hurry(String instanceId) {
                hurried.add(instanceId);
            }

            @Override
            public void close() {
                inJvm.close();
            }
        };
        pool = new InstancePool(
                limits,
                gated,
                scheduler,
                new Envelopes("guest", () -> "http://test"),
                () -> "i-" + ids.incrementAndGet(),
                activation -> {
                    ended.add(activation);
                    onEnd.accept(activation);
                });
        pool.start();
    }

    private RunningInstance failing(RunningInstance instance) {
        return (RunningInstance) Proxy.newProxyInstance(
                RunningInstance.class.getClassLoader(),
                new Class<?>[] {RunningInstance.class},
                (proxy, method, arguments) -> {
                    Throwable failure = runFailure;
                    return failure != null && method.getName().equals("run")
                            ? CompletableFuture.failedStage(failure)
                            : method.invoke(instance, arguments);
                });
    }

    /** An instance that another gateway started, for an action or for none. */
    void takeOver(String id, int memoryMb, String action) throws Exception {
        RunningInstance running =
                inJvm.launch("test", memoryMb, id).toCompletableFuture().get();
        pool.takeOver(new InstanceLauncher.Found(id, "test", memoryMb, action, running));
    }

    private HeldFunction function() {
        HeldFunction function = new HeldFunction();
        if (!holdInit) {
            function.init.complete("{}".getBytes(StandardCharsets.UTF_8));
        }
        functions.add(function);
        return function;
    }

    RegisteredAction put(String name, int memoryMb, int concurrency) {
        return put(name, new ActionLimits(60_000, memoryMb, 1, concurrency));
    }

    RegisteredAction put(String name, ActionLimits limits) {
        RegisteredAction action =
                new RegisteredAction(ActionSpec.of(name, ActionExec.ofKind("test"), limits), ids.incrementAndGet(), 0);
        pool.put(action);
        return action;
    }

    CompletableFuture<Activation> invoke(RegisteredAction action) {
        return pool.invoke(action, "a-" + ids.incrementAndGet(), "{}".getBytes(StandardCharsets.UTF_8), null)
                .toCompletableFuture();
    }

    /** Invocations that functions hold. */
    int held() {
        return functions.stream().mapToInt(each -> each.open().size()).sum();
    }

    void releaseAll() {
        functions.forEach(function -> function.open().forEach(HeldFunction.Held::release));
    }

    int instancesOf(RegisteredAction action) {
        return share(action).instances();
    }

    UsageView.Deployment share(RegisteredAction action) {
        return pool.usage().deployments().getOrDefault(action.name(), UsageView.Deployment.NONE);
    }

    int prewarmed() {
        return pool.usage().prewarmed();
    }

    @Override
    public void close() {
        pool.close();
        scheduler.close();
    }
}
