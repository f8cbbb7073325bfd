package io.lambdafs.testing.simulation;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import io.lambdafs.testing.simulation.cluster.SimulatedCluster;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A simulated cluster without faults, and a client of its superuser. Not thread-safe. */
final class ProbedCluster {
    private final Agenda agenda = new Agenda(1);
    private final SimulatedCluster cluster = new SimulatedCluster(agenda, new Nobody(), SimulatedCluster.Kind.ALIKE);
    private final SimulatedClient client = new SimulatedClient(cluster, cluster.process("client"), true);

    private static final class Nobody implements SimulatedTransport.Observer {
        @Override
        public void request(SimulatedProcess from, SimulatedProcess to, Message message) {}

        @Override
        public void reply(SimulatedProcess from, SimulatedProcess to, Message request, Message reply) {}
    }

    LambdaFs client() {
        return client.of(SimulatedClient.ROOT);
    }

    MetadataStore store() {
        return cluster.engine;
    }

    /** Lets time pass until a stage has completed; throws what it fails with. */
    <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        while (!future.isDone()) {
            if (!agenda.next()) {
                throw new IllegalStateException("nothing is left to happen");
            }
        }
        try {
            return future.join();
        } catch (CompletionException e) {
            throw FsException.of(e);
        }
    }
}
