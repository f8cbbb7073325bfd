package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import org.jspecify.annotations.Nullable;

/**
 * The store from its clients' point of view: shards, each with processors and a log that commits share, and rows stored
 * with their directory, as in HopsFS and λFS. Not thread-safe.
 */
final class ShardedStore {
    private final Agenda agenda;
    private final Wires wires;
    private final ScaleSettings.Store settings;
    private final Shard[] shards;

    private static final class Shard {
        final Processors processors;
        /**
         * The ends of the current log write, and of the next one, which takes everything that has arrived meanwhile.
         */
        long currentEnd;

        long nextEnd;

        Shard(Processors processors) {
            this.processors = processors;
        }
    }

    /** @param machine whose processors all shards use; null if each has its own */
    ShardedStore(Agenda agenda, Wires wires, ScaleSettings.Store settings, @Nullable Processors machine) {
        this.agenda = agenda;
        this.wires = wires;
        this.settings = settings;
        shards = new Shard[settings.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard(machine == null ? new Processors(agenda, settings.processors()) : machine);
        }
    }

    int shards() {
        return shards.length;
    }

    Processors processors(int shard) {
        return shards[shard].processors;
    }

    /** Returns the shard with the rows of a directory's children. */
    int shardOf(int directory) {
        return (int) Long.remainderUnsigned((directory * 0x9e3779b97f4a7c15L) >>> 16, shards.length);
    }

    /** Reads some rows, including both ways of the message. */
    void read(int directory, int rows, Runnable then) {
        long nanos = settings.readNanos() + (rows - 1) * settings.rowNanos();
        long arrives = agenda.now() + wires.way();
        agenda.at(arrives, () -> agenda.at(shards[shardOf(directory)].processors.reserve(nanos) + wires.way(), then));
    }

    /** Commits, including both ways of the message. */
    void commit(int directory, Runnable then) {
        long arrives = agenda.now() + wires.way();
        agenda.at(arrives, () -> {
            Shard shard = shards[shardOf(directory)];
            long ready = shard.processors.reserve(settings.commitNanos());
            agenda.at(durable(shard, ready) + wires.way(), then);
        });
    }

    private long durable(Shard shard, long ready) {
        long sync = settings.syncNanos();
        if (ready >= shard.currentEnd && shard.nextEnd > shard.currentEnd && ready < shard.nextEnd) {
            shard.currentEnd = shard.nextEnd;
        }
        if (ready >= shard.currentEnd) {
            shard.currentEnd = ready + sync;
            shard.nextEnd = shard.currentEnd;
            return shard.currentEnd;
        }
        shard.nextEnd = shard.currentEnd + sync;
        return shard.nextEnd;
    }
}
