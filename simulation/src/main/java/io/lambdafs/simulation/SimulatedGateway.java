package io.lambdafs.simulation;

import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Scheduler;
import io.lambdafs.platform.ActionExec;
import io.lambdafs.platform.ActionLimits;
import io.lambdafs.platform.ActionSpec;
import io.lambdafs.platform.local.instance.InstanceLauncher;
import io.lambdafs.platform.local.pool.Activation;
import io.lambdafs.platform.local.pool.Envelopes;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.Outcome;
import io.lambdafs.platform.local.pool.PoolLimits;
import io.lambdafs.platform.local.pool.RefusedException;
import io.lambdafs.platform.local.pool.RegisteredAction;
import io.lambdafs.rpc.OperationReply;
import io.lambdafs.rpc.OperationRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The FaaS platform: the real pool behind a simulated HTTP front. A body names its call by a number; what is asked and answered is kept
 * here under it, as objects. Not thread-safe.
 */
public final class SimulatedGateway {
    private static final String KIND = "simulated";
    private static final String PREFIX = "namenode";
    private static final long LOSS_LIMIT_NANOS = 3_000_000_000L;

    /** What a call takes of the gateway before it reaches the pool. */
    @FunctionalInterface
    public interface Front {
        /** Nothing. */
        Front NONE = Runnable::run;

        /** Lets a call pass, now or later. */
        void take(Runnable call);
    }

    /**
     * What the platform allows.
     *
     * @param limits of the pool
     * @param each the bounds of each instance
     * @param deployments as many actions
     * @param front what calls pass first
     */
    public record Platform(PoolLimits limits, ActionLimits each, int deployments, Front front) {}

    /** One HTTP call from its arrival at the gateway to its end. */
    public static final class CallUnderWay {
        private final Invocation invocation;
        private final Principal principal;
        private final SimulatedProcess caller;
        private final SimulatedTransport.Observer observer;
        private @Nullable OperationReply reply;

        CallUnderWay(
                Invocation invocation,
                Principal principal,
                SimulatedProcess caller,
                SimulatedTransport.Observer observer) {
            this.invocation = invocation;
            this.principal = principal;
            this.caller = caller;
            this.observer = observer;
        }

        /** What was asked. */
        public Invocation invocation() {
            return invocation;
        }

        /** Who asks. */
        public Principal principal() {
            return principal;
        }

        /** An instance has answered. */
        public void replied(SimulatedProcess by, OperationReply answer) {
            reply = answer;
            OperationRequest request = invocation.request();
            if (request != null) {
                observer.reply(by, caller, request, answer);
            }
        }
    }

    private final SimulatedProcess process;
    private final Agenda agenda;
    private final Ways ways;
    private final Front front;
    private final SimulatedTransport.Observer observer;
    private final InstancePool pool;
    private final List<RegisteredAction> actions = new ArrayList<>();
    private final ActionLimits each;
    private final Map<Long, CallUnderWay> calls = new HashMap<>();
    private long lastCall;
    private int instances;
    private long pauses;

    /** A gateway with its pool. */
    public SimulatedGateway(
            SimulatedProcess process, SimulatedTransport.Wire wire, InstanceLauncher launcher, Platform platform) {
        this.process = process;
        this.agenda = wire.agenda;
        this.ways = wire.ways;
        this.front = platform.front;
        this.observer = wire.observer();
        this.pool = new InstancePool(
                platform.limits,
                launcher,
                process,
                new Envelopes("_", () -> "http://simulated"),
                () -> "i" + instances++,
                activation -> {});
        this.each = platform.each;
        register(platform.deployments);
        pool.start();
    }

    /** Makes the functions of so many deployments be there. */
    public void register(int deployments) {
        for (int i = 0; i < deployments; i++) {
            if (actions.size() == i) {
                actions.add(new RegisteredAction(ActionSpec.of(PREFIX + i, ActionExec.ofKind(KIND), each), 1, 0));
            }
            pool.put(actions.get(i));
        }
    }

    /** Removes the functions of deployments from this number on. */
    public void removeFrom(int deployments) {
        for (int i = deployments; i < actions.size(); i++) {
            pool.remove(PREFIX + i);
        }
    }

    /** Calls deployment 0 for nothing but that an instance is there. */
    public void wake() {
        invoker(process, new Principal("root", List.of()))
                .invoke(new Invocation(0, null, "", List.of(), false, LOSS_LIMIT_NANOS));
    }

    /** The real pool. */
    public InstancePool pool() {
        return pool;
    }

    /** Where it runs. */
    public SimulatedProcess process() {
        return process;
    }

    /** The deployment that an {@code /init} body names. */
    public static int deployment(String json) {
        return (int) numberAfter(json, "\"name\":\"" + PREFIX);
    }

    /** The call that a {@code /run} body names. */
    public static long call(String json) {
        return numberAfter(json, "\"call\":");
    }

    private static long numberAfter(String json, String mark) {
        int from = json.indexOf(mark) + mark.length();
        int to = from;
        while (to < json.length() && Character.isDigit(json.charAt(to))) {
            to++;
        }
        return Long.parseLong(json.substring(from, to));
    }

    /** The call of a number. */
    public CallUnderWay ofCall(long number) {
        CallUnderWay call = calls.get(number);
        if (call == null) {
            throw new IllegalStateException("no call " + number);
        }
        return call;
    }

    /** An instance is paused until the next call. */
    public void paused() {
        pauses++;
    }

    /** How often an instance was paused. */
    public long pauses() {
        return pauses;
    }

    /** To an instance, which goes on for it where it is paused, when a cut has healed: connections to instances are held for as long as the action may take. */
    public void toInstance(SimulatedProcess instance, Runnable arrived) {
        agenda.at(ways.arrival(process, instance), () -> {
            instance.wake();
            instance.message(arrived);
        });
    }

    /** From an instance, likewise. */
    public void fromInstance(SimulatedProcess instance, Runnable arrived) {
        agenda.at(ways.arrival(instance, process), () -> process.message(arrived));
    }

    /** Soon, at the gateway. */
    public void later(Runnable task) {
        process.execute(task);
    }

    /** How one client calls functions. */
    public Invoker invoker(SimulatedProcess client, Principal principal) {
        return new Caller(client, principal);
    }

    private final class Caller implements Invoker {
        private final SimulatedProcess client;
        private final Principal principal;
        private boolean reached;

        Caller(SimulatedProcess client, Principal principal) {
            this.client = client;
            this.principal = principal;
        }

        @Override
        public boolean hasReached() {
            return reached;
        }

        @Override
        public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
            CompletableFuture<Optional<OperationReply>> result = new CompletableFuture<>();
            Scheduler.Timer limit = client.schedule(
                    invocation.timeoutNanos(),
                    () -> result.completeExceptionally(
                            new FsException(ErrorCode.TIMED_OUT, "the function did not answer in time")));
            result.whenComplete((reply, failure) -> limit.cancel());
            OperationRequest request = invocation.request();
            if (request != null) {
                observer.request(client, process, request);
            }
            if (!ways.send(client, process, () -> front.take(() -> arrived(invocation, result)))) {
                client.schedule(
                        LOSS_LIMIT_NANOS,
                        () -> result.completeExceptionally(
                                new FsException(ErrorCode.CONNECTION_LOST, "the gateway does not answer")));
            }
            return result;
        }

        private void arrived(Invocation invocation, CompletableFuture<Optional<OperationReply>> result) {
            long number = ++lastCall;
            CallUnderWay call = new CallUnderWay(invocation, principal, client, observer);
            calls.put(number, call);
            byte[] payload = ("{\"call\":" + number + "}").getBytes(StandardCharsets.UTF_8);
            CompletionStage<Activation> activation;
            boolean[] unknown = {false};
            try {
                activation = pool.invoke(actions.get(invocation.deployment()), "a" + number, payload, null);
            } catch (RefusedException refused) {
                unknown[0] = refused.status() == 404;
                activation = CompletableFuture.failedFuture(refused);
            }
            activation.whenComplete((ended, failure) -> {
                calls.remove(number);
                ways.send(process, client, () -> {
                    if (unknown[0]) {
                        reached = true;
                        result.completeExceptionally(
                                new FsException(ErrorCode.UNAVAILABLE, "there is no such function"));
                    } else {
                        answer(call, ended, result);
                    }
                });
            });
        }

        private void answer(
                CallUnderWay call, @Nullable Activation ended, CompletableFuture<Optional<OperationReply>> result) {
            reached = true;
            if (ended == null || ended.outcome() == Outcome.NO_CAPACITY) {
                result.completeExceptionally(new FsException(ErrorCode.THROTTLED, "the platform refused the call"));
            } else if (ended.outcome() == Outcome.SUCCESS) {
                result.complete(Optional.ofNullable(call.reply));
            } else {
                result.completeExceptionally(
                        new FsException(ErrorCode.FUNCTION_FAILED, "the function failed: " + ended.outcome()));
            }
        }
    }
}
