package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.history.Event;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import io.lambdafs.testing.simulation.cluster.SimulatedInstance;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Reads everything from every instance at the end of a run, to check its cache; the answers are part of the history.
 * Not thread-safe.
 */
final class FinalLook {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final int MOST_ATTEMPTS = 1_000;

    private final SimulatedCluster cluster;
    private final Agenda agenda;
    private final Recorder recorder;

    FinalLook(SimulatedCluster cluster, Agenda agenda, Recorder recorder) {
        this.cluster = cluster;
        this.agenda = agenda;
        this.recorder = recorder;
    }

    /** Advances time until a condition holds, or fails after too long. */
    interface Patience {
        void await(BooleanSupplier condition, Supplier<String> what);
    }

    /** @return whether any instance was asked for everything */
    boolean run(Patience patience) {
        boolean asked = false;
        for (SimulatedInstance instance : List.copyOf(cluster.instances())) {
            if (instance.function() != null) {
                instance.attend();
                Look look = new Look(instance);
                look.next();
                patience.await(() -> look.over || instance.isGoing(), look::toString);
                asked |= look.over;
                look.end();
            }
        }
        return asked;
    }

    /** The reads at one instance. */
    private final class Look {
        private final SimulatedInstance instance;
        private final Deque<Operation<?>> questions = new ArrayDeque<>();
        private Event current;
        private int attempts;
        private boolean over;

        Look(SimulatedInstance instance) {
            this.instance = instance;
            for (FsPath path : Workload.paths()) {
                questions.add(new ReadOperation.Open(path));
                questions.add(new ReadOperation.ListPage(path, "", 100));
            }
            this.current = begun();
        }

        private Event begun() {
            return recorder.begins(-1, SimulatedClient.ROOT, questions.remove());
        }

        void next() {
            RequestId id = new RequestId(0, 0, 0, 0);
            long deadline = cluster.storeProcess.currentTimeMillis() + 60_000;
            OperationRequest request =
                    new OperationRequest(0, id, 1, deadline, current.operation(), OperationRequest.ANY_GENERATION);
            instance.serve(SimulatedClient.ROOT, request, reply -> {
                recorder.replied(request, reply);
                agenda.after(0, () -> answered(reply));
            });
        }

        private void answered(OperationReply reply) {
            if (over) {
                return;
            }
            if (!Recorder.isDecision(reply.reply())) {
                if (++attempts == MOST_ATTEMPTS) {
                    recorder.violated(
                            "an instance cannot answer though everything has healed: " + current + ": " + reply);
                }
                agenda.after(PAUSE_NANOS, this::next);
                return;
            }
            recorder.answered(current, reply.reply());
            over = questions.isEmpty();
            if (!over) {
                attempts = 0;
                current = begun();
                next();
            }
        }

        @Override
        public String toString() {
            return "instance " + instance.id() + " does not answer: " + current;
        }

        /** Ends open reads if the instance is gone. */
        void end() {
            if (!over) {
                over = true;
                recorder.unanswered(current, "the instance leaves", agenda.now());
            }
        }
    }
}
