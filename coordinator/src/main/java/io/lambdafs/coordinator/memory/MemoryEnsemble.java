package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state shared by the in-memory coordinators of several instances, in the role of a ZooKeeper ensemble.
 * Thread-safe; deterministic under a simulated scheduler.
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
     * @param scheduler of the ensemble itself, unaffected by frozen instances
     * @param session how long a client may be partitioned before its session ends
     */
    public MemoryEnsemble(Scheduler scheduler, Duration session) {
        this.scheduler = scheduler;
        this.session = session;
    }

    /**
     * Opens a client's session.
     *
     * @param client runs the client's callbacks; while it is frozen, so is the client
     */
    public MemoryCoordinator connect(Scheduler client) {
        MemoryCoordinator handle = new MemoryCoordinator(this, client);
        synchronized (this) {
            clients.add(handle);
        }
        return handle;
    }

    /** Sets the one-way latency of messages from now on, including replies to those in flight. */
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
        // The right to renew ends with the session, so others do not wait for an absent member's lease.
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

    /** Returns the number of letters in all mailboxes. */
    public int letters() {
        return boxes.letters();
    }

    MemoryBoxes boxes() {
        return boxes;
    }

    /** Called when a letter has arrived or been answered. */
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
