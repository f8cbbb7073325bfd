package io.lambdafs.client.tcp;

import io.lambdafs.model.operation.Placement;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one TCP server by deployment, at most {@value #MAX_PER_DEPLOYMENT} each, in copy-on-write arrays.
 * Thread-safe.
 */
public final class ConnectionTable {
    static final int MAX_PER_DEPLOYMENT = 1_024;

    private static final InstanceConnection[] NONE = new InstanceConnection[0];

    private final AtomicReferenceArray<InstanceConnection[]> byDeployment =
            new AtomicReferenceArray<>(Placement.MAX_DEPLOYMENTS);
    /** One above the highest deployment that has had a connection. */
    private final AtomicInteger end = new AtomicInteger();

    public ConnectionTable() {
        for (int i = 0; i < byDeployment.length(); i++) {
            byDeployment.set(i, NONE);
        }
    }

    /** Returns whether a deployment number is valid. */
    public static boolean canHave(int deployment) {
        return deployment >= 0 && deployment < Placement.MAX_DEPLOYMENTS;
    }

    /** Adds a connection; returns false if its deployment has too many. */
    public boolean add(InstanceConnection added) {
        while (true) {
            InstanceConnection[] known = byDeployment.get(added.deployment());
            if (known.length >= MAX_PER_DEPLOYMENT) {
                return false;
            }
            InstanceConnection[] longer = Arrays.copyOf(known, known.length + 1);
            longer[known.length] = added;
            if (byDeployment.compareAndSet(added.deployment(), known, longer)) {
                end.accumulateAndGet(added.deployment() + 1, Math::max);
                return true;
            }
        }
    }

    /** Removes a connection; returns false if it was not present. */
    public boolean remove(InstanceConnection removed) {
        while (true) {
            InstanceConnection[] known = byDeployment.get(removed.deployment());
            InstanceConnection[] rest =
                    Arrays.stream(known).filter(c -> c != removed).toArray(InstanceConnection[]::new);
            if (rest.length == known.length) {
                return false;
            }
            if (byDeployment.compareAndSet(removed.deployment(), known, rest)) {
                return true;
            }
        }
    }

    /** Returns the connection of an instance, if any. */
    public @Nullable InstanceConnection of(int deployment, String instance) {
        for (InstanceConnection connection : byDeployment.get(deployment)) {
            if (connection.instance().equals(instance)) {
                return connection;
            }
        }
        return null;
    }

    public boolean has(InstanceConnection sought) {
        for (InstanceConnection connection : byDeployment.get(sought.deployment())) {
            if (connection == sought) {
                return true;
            }
        }
        return false;
    }

    public boolean hasEpoch(int deployment, long epoch) {
        for (InstanceConnection connection : byDeployment.get(deployment)) {
            if (connection.epoch() == epoch) {
                return true;
            }
        }
        return false;
    }

    /**
     * Picks the less busy of two random connections of a deployment, which balances nearly as well as checking all.
     *
     * @param avoid id of a connection not to pick; 0 for none
     */
    public @Nullable InstanceConnection pick(int deployment, long avoid, RandomGenerator random) {
        InstanceConnection[] known = byDeployment.get(deployment);
        int count = known.length;
        if (count == 0) {
            return null;
        }
        int first = count == 1 ? 0 : random.nextInt(count);
        if (known[first].id() == avoid) {
            if (count == 1) {
                return null;
            }
            first = first + 1 == count ? 0 : first + 1;
        }
        if (count == 1) {
            return known[0];
        }
        int second = first + 1 + random.nextInt(count - 1);
        second = second >= count ? second - count : second;
        InstanceConnection other = known[second];
        return other.id() != avoid && other.load() < known[first].load() ? other : known[first];
    }

    /**
     * Picks the least busy of the connections that {@link #pick(int, long, RandomGenerator)} finds in all deployments.
     */
    public @Nullable InstanceConnection pickAny(long avoid, RandomGenerator random) {
        int count = end.get();
        int first = count == 0 ? 0 : random.nextInt(count);
        InstanceConnection best = null;
        for (int i = 0; i < count; i++) {
            InstanceConnection found = pick((first + i) % count, avoid, random);
            if (found != null && (best == null || found.load() < best.load())) {
                best = found;
            }
        }
        return best;
    }

    public void forEach(Consumer<InstanceConnection> action) {
        for (int i = 0; i < end.get(); i++) {
            for (InstanceConnection connection : byDeployment.get(i)) {
                action.accept(connection);
            }
        }
    }

    public int count() {
        int count = 0;
        for (int i = 0; i < end.get(); i++) {
            count += byDeployment.get(i).length;
        }
        return count;
    }
}
