package io.lambdafs.simulation;

import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.time.Scheduler;
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
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
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
 * A simulated FaaS platform: the real instance pool behind a simulated HTTP front end. A body only contains its call's
 * number; requests and replies are kept here as objects under that number. Not thread-safe.
 */
public final class SimulatedGateway {
    private static final String KIND = "simulated";
    private static final String PREFIX = "namenode";
    private static final long LOSS_LIMIT_NANOS = 3_000_000_000L;

    /** The cost of a call at the gateway before it reaches the pool. */
    @FunctionalInterface
    public interface Front {
        /** No cost. */
        Front NONE = Runnable::run;

        /** Lets a call pass, now or later. */
        void take(Runnable call);
    }

    /**
     * The platform's configuration.
     *
     * @param limits of the pool
     * @param each limits of each instance
     * @param deployments number of actions
     * @param front passed by calls first
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

        /** Returns the invocation. */
        public Invocation invocation() {
            return invocation;
        }

        /** Returns the caller. */
        public Principal principal() {
            return principal;
        }

        /** Called when an instance has replied. */
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

    /** Creates a gateway with its pool. */
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

    /** Registers the functions of a number of deployments. */
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

    /** Calls deployment 0 just to have an instance running. */
    public void wake() {
        invoker(process, new Principal("root", List.of()))
                .invoke(new Invocation(0, null, "", List.of(), false, LOSS_LIMIT_NANOS));
    }

    /** Returns the real pool. */
    public InstancePool pool() {
        return pool;
    }

    /** Returns its process. */
    public SimulatedProcess process() {
        return process;
    }

    /** Returns the deployment in an {@code /init} body. */
    public static int deployment(String json) {
        return (int) numberAfter(json, "\"name\":\"" + PREFIX);
    }

    /** Returns the call number in a {@code /run} body. */
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

    /** Returns the call with a number. */
    public CallUnderWay ofCall(long number) {
        CallUnderWay call = calls.get(number);
        if (call == null) {
            throw new IllegalStateException("no call " + number);
        }
        return call;
    }

    /** Notes that an instance is paused until the next call. */
    public void paused() {
        pauses++;
    }

    /** Returns the number of pauses. */
    public long pauses() {
        return pauses;
    }

    /**
     * Delivers to an instance, waking it if paused, after any partition has healed: connections to instances are held
     * for as long as the action may take.
     */
    public void toInstance(SimulatedProcess instance, Runnable arrived) {
        agenda.at(ways.arrival(process, instance), () -> {
            instance.wake();
            instance.message(arrived);
        });
    }

    /** Delivers from an instance, likewise. */
    public void fromInstance(SimulatedProcess instance, Runnable arrived) {
        agenda.at(ways.arrival(instance, process), () -> process.message(arrived));
    }

    /** Schedules a task at the gateway shortly. */
    public void later(Runnable task) {
        process.execute(task);
    }

    /** Returns the invoker of one client. */
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
                        result.completeExceptionally(FsException.unavailable("there is no such function"));
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
