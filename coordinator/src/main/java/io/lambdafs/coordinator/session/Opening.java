package io.lambdafs.coordinator.session;

import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.SessionListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the first join (PROTOCOL: E1, where the watch comes before the registration): the channel starts listening,
 * the membership is watched, and the sweep for dead epochs starts. Retried on failure. Used on the session's serial
 * executor only.
 */
final class Opening {
    private final SessionContext context;
    private final SessionMembers members;
    private final Executor serial;
    private final Newcomers newcomers;
    private final AbsentSweep absent;
    private final OrphanSweep orphans;
    private final Generations generations;
    private @Nullable CompletionStage<InvalidationChannel.Endpoint> endpoint;

    Opening(SessionContext context, SessionMembers members, Generations generations, Executor serial) {
        this.context = context;
        this.members = members;
        this.serial = serial;
        this.generations = generations;
        this.newcomers = new Newcomers(context, members.roster());
        this.absent = new AbsentSweep(context, members);
        this.orphans = new OrphanSweep(context, members);
    }

    /** Opens everything; returns the address at which other instances reach this one. */
    CompletionStage<InvalidationChannel.Endpoint> open(SessionListener listener) {
        CompletionStage<InvalidationChannel.Endpoint> known = endpoint;
        if (known != null) {
            return known;
        }
        Reception reception = new Reception(context, members.lease(), listener, newcomers::knows);
        return context.channel()
                .open(reception)
                .thenApplyAsync(
                        opened -> {
                            endpoint = CompletableFuture.completedFuture(opened);
                            members.roster().follow(context.channel()::retain);
                            members.roster().follow(absent::look);
                            members.roster().follow(generations::look);
                            context.coordinator().watch(members.roster()::report);
                            orphans.start();
                            generations.start();
                            return opened;
                        },
                        serial);
    }

    /** Adds a member listed at a join, which may be gone before the watch ever reports it. */
    void knows(Member member) {
        newcomers.knows(member);
    }

    /** Sweeps for members that became absent before the epoch was live. */
    void live() {
        absent.look(members.roster().view());
    }

    void close() {
        newcomers.close();
        orphans.close();
        generations.close();
    }
}
