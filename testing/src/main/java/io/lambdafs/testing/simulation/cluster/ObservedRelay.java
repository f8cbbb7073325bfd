package io.lambdafs.testing.simulation.cluster;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.simulation.SimulatedProcess;
import io.lambdafs.simulation.SimulatedTransport;
import java.util.concurrent.CompletionStage;

/** A relayed channel that also reports its INVs to the network's observer. Not thread-safe. */
record ObservedRelay(InvalidationChannel relay, SimulatedProcess process, SimulatedTransport.Observer observer)
        implements InvalidationChannel {
    @Override
    public CompletionStage<Endpoint> open(Receiver receiver) {
        return relay.open(receiver);
    }

    @Override
    public CompletionStage<Acknowledgement> invalidate(Member target, Invalidation invalidation, long timeoutNanos) {
        observer.request(process, process, invalidation);
        return relay.invalidate(target, invalidation, timeoutNanos);
    }

    @Override
    public CompletionStage<Acknowledgement> greet(Member target, Greeting greeting, long timeoutNanos) {
        return relay.greet(target, greeting, timeoutNanos);
    }

    @Override
    public void retain(View view) {
        relay.retain(view);
    }

    @Override
    public void close() {
        relay.close();
    }
}
