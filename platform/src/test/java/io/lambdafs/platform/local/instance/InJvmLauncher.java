package io.lambdafs.platform.local.instance;

import io.lambdafs.platform.Json;
import io.lambdafs.platform.MetricsPage;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Runs functions inside this JVM, for tests and simulation. Thread-safe. */
public final class InJvmLauncher implements InstanceLauncher {
    private final Map<String, Supplier<? extends ActionFunction>> functions;
    private final Executor executor;
    private final Set<Local> live = ConcurrentHashMap.newKeySet();

    /**
     * @param functions what each kind runs
     * @param executor what calls the functions; they must not block it for long
     */
    public InJvmLauncher(Map<String, Supplier<? extends ActionFunction>> functions, Executor executor) {
        this.functions = Map.copyOf(functions);
        this.executor = executor;
    }

    @Override
    public Set<String> kinds() {
        return functions.keySet();
    }

    @Override
    public CompletionStage<RunningInstance> launch(String kind, int memoryMb, String instanceId) {
        Supplier<? extends ActionFunction> supplier = functions.get(kind);
        if (supplier == null) {
            return CompletableFuture.failedStage(new IllegalArgumentException("unknown kind '" + kind + "'"));
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    Local instance = new Local(supplier.get(), instanceId);
                    live.add(instance);
                    return instance;
                },
                executor);
    }

    @Override
    public void close() {
        live.forEach(instance -> instance.stop(Duration.ZERO));
    }

    /** One function. */
    private final class Local implements RunningInstance {
        private static final int KILLED = 137;

        private final ActionFunction function;
        private final String id;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final AtomicBoolean ended = new AtomicBoolean();

        Local(ActionFunction function, String id) {
            this.function = function;
            this.id = id;
        }

        @Override
        public CompletionStage<ActionReply> init(byte[] json) {
            return call(() -> function.init(json));
        }

        @Override
        public CompletionStage<ActionReply> run(byte[] json) {
            return call(() -> function.run(json));
        }

        private CompletionStage<ActionReply> call(Supplier<CompletionStage<byte[]>> body) {
            return CompletableFuture.supplyAsync(body, executor)
                    .thenCompose(stage -> stage)
                    .thenApply(bytes -> new ActionReply(200, bytes))
                    .exceptionally(failure -> new ActionReply(
                            500, Json.bytes(Json.object().put("error", String.valueOf(failure.getMessage())))));
        }

        @Override
        public void stop(Duration grace) {
            end(function::close, 0);
        }

        @Override
        public void kill() {
            end(function::abort, KILLED);
        }

        private void end(Runnable how, int exitCode) {
            if (ended.compareAndSet(false, true)) {
                CompletableFuture.runAsync(how, executor).whenComplete((ok, failure) -> {
                    live.remove(this);
                    exit.complete(failure == null ? exitCode : 1);
                });
            }
        }

        @Override
        public CompletionStage<Integer> onExit() {
            return exit;
        }

        @Override
        public OptionalLong pid() {
            return OptionalLong.empty();
        }

        @Override
        public String endpoint() {
            return "jvm:" + id;
        }

        @Override
        public CompletionStage<MetricsPage> metrics() {
            return CompletableFuture.completedFuture(MetricsPage.parse(function.metrics()));
        }

        @Override
        public InstanceLog log() {
            return InstanceLog.NONE;
        }
    }
}
