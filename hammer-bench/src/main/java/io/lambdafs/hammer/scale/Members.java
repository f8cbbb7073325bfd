package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import java.util.ArrayList;
import java.util.List;

/**
 * The live instances by deployment, and the coordinator's load: it announces every join and leave to all members, and
 * renews their leases. All members learn of a change at once. Not thread-safe.
 */
final class Members {
    private final List<List<ModelNameNode>> byDeployment = new ArrayList<>();
    private final Processors coordinator;
    private final long messageNanos;
    private int count;
    private long invalidations;
    private long rounds;

    Members(Agenda agenda, int deployments, long messageNanos) {
        for (int i = 0; i < deployments; i++) {
            byDeployment.add(new ArrayList<>());
        }
        this.coordinator = new Processors(agenda, 1);
        this.messageNanos = messageNanos;
    }

    void join(int deployment, ModelNameNode member) {
        byDeployment.get(deployment).add(member);
        count++;
        tell();
    }

    void leave(int deployment, ModelNameNode member) {
        if (byDeployment.get(deployment).remove(member)) {
            count--;
            tell();
        }
    }

    private void tell() {
        coordinator.reserve((count + 1L) * messageNanos);
    }

    /** Renews each member's lease a number of times. */
    void renewals(double perMember) {
        coordinator.reserve((long) (count * perMember * messageNanos));
    }

    Processors coordinator() {
        return coordinator;
    }

    int count(int deployment) {
        return byDeployment.get(deployment).size();
    }

    int count() {
        return count;
    }

    List<ModelNameNode> of(int deployment) {
        return byDeployment.get(deployment);
    }

    /** Returns the instances to invalidate on a change. */
    List<ModelNameNode> others(ModelNameNode one, int deployment) {
        List<ModelNameNode> others = new ArrayList<>(byDeployment.get(deployment));
        others.remove(one);
        return others;
    }

    void invalidations(int sent) {
        invalidations += sent;
        rounds++;
    }

    /** Returns the number of INVs sent. */
    long invalidations() {
        return invalidations;
    }

    /** Returns the number of writes that sent any. */
    long rounds() {
        return rounds;
    }
}
