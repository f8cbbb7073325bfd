package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the in-memory coordinators of several instances share: the part of a ZooKeeper ensemble. Thread-safe; under a simulated
 * scheduler deterministic.
 */
public final class MemoryEnsemble {
    private final Scheduler scheduler;
    private final Duration session;
    private final Map<Long, Member> members = new TreeMap<>();
    private final Map<Long, MemoryCoordinator> present = new HashMap<>();
    private final Set<Long> renewable = new HashSet<>();
    private final MemoryBoxes boxes = new MemoryBoxes();
    private final List<MemoryCoordinator> clients = new ArrayList<>();
    private volatile Duration latency = Duration.ZERO;
    private long version;

    /**
     * @param scheduler of the ensemble itself, which no instance's freezing stops
     * @param session how long a client may be cut off before its session ends
     */
    public MemoryEnsemble(Scheduler scheduler, Duration session) {
        this.scheduler = scheduler;
        this.session = session;
    }

    /**
     * A client's session.
     *
     * @param client runs what the client is called back with; while it stands still so does the client
     */
    public MemoryCoordinator connect(Scheduler client) {
        MemoryCoordinator handle = new MemoryCoordinator(this, client);
        synchronized (this) {
            clients.add(handle);
        }
        return handle;
    }

    /** Returns how long a message takes from now on, each way; of those under way the replies too. */
    public void setLatency(Duration oneWay) {
        latency = oneWay;
    }

    Duration latency() {
        return latency;
    }

    Duration session() {
        return session;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    synchronized View view() {
        Set<Long> absent = new HashSet<>(members.keySet());
        absent.removeAll(present.keySet());
        return new View(version, members, absent);
    }

    void register(Member member, MemoryCoordinator client) {
        synchronized (this) {
            if (members.putIfAbsent(member.epoch(), member) != null) {
                throw new FsException(
                        ErrorCode.INTERNAL, "epoch " + member.epoch() + " is registered already; epochs are used once");
            }
            present.put(member.epoch(), client);
            renewable.add(member.epoch());
            boxes.open(member.epoch());
        }
        changed();
    }

    synchronized void renew(long epoch) {
        // A session that ended takes the right to renew with it: others do not wait for the lease of an absent member.
        if (!renewable.contains(epoch) || !present.containsKey(epoch)) {
            throw new FsException(ErrorCode.FENCED, "the lease of epoch " + epoch + " cannot be renewed any more");
        }
    }

    synchronized void refuse(long epoch) {
        renewable.remove(epoch);
    }

    void forget(long epoch) {
        synchronized (this) {
            renewable.remove(epoch);
            present.remove(epoch);
            boxes.remove(epoch);
            if (members.remove(epoch) == null) {
                return;
            }
        }
        changed();
    }

    void endSession(MemoryCoordinator client) {
        boolean had;
        synchronized (this) {
            had = present.values().removeIf(owner -> owner == client);
            boxes.removeLettersOf(client);
        }
        if (had) {
            changed();
        }
    }

    void close(MemoryCoordinator client) {
        synchronized (this) {
            clients.remove(client);
        }
        endSession(client);
    }

    /** Letters in all boxes. */
    public int letters() {
        return boxes.letters();
    }

    MemoryBoxes boxes() {
        return boxes;
    }

    /** Something has come into a box, or been answered. */
    void tellOfLetters() {
        List<MemoryCoordinator> all;
        synchronized (this) {
            all = List.copyOf(clients);
        }
        all.forEach(MemoryCoordinator::tellOfLetters);
    }

    private void changed() {
        List<MemoryCoordinator> watching;
        View view;
        synchronized (this) {
            version++;
            watching = List.copyOf(clients);
            view = view();
        }
        for (MemoryCoordinator client : watching) {
            client.tell(view);
        }
    }
}
