package io.lambdafs.hammer.scale;

import io.lambdafs.simulation.Agenda;
import org.jspecify.annotations.Nullable;

/**
 * The store as its clients see it: shards, each with processors and a log that commits share, and rows that lie where their directory
 * does, as HopsFS and λFS lay them out. Not thread-safe.
 */
final class ShardedStore {
    private final Agenda agenda;
    private final Wires wires;
    private final ScaleSettings.Store settings;
    private final Shard[] shards;

    private static final class Shard {
        final Processors processors;
        /** When the write to the log that is under way ends, and when the next one does, which takes what has come meanwhile. */
        long currentEnd;

        long nextEnd;

        Shard(Processors processors) {
            this.processors = processors;
        }
    }

    /** @param machine whose processors all shards share; null where each has its own */
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

    /** Where the rows of a directory's children are. */
    int shardOf(int directory) {
        return (int) Long.remainderUnsigned((directory * 0x9e3779b97f4a7c15L) >>> 16, shards.length);
    }

    /** Reads some rows, there and back. */
    void read(int directory, int rows, Runnable then) {
        long nanos = settings.readNanos() + (rows - 1) * settings.rowNanos();
        long arrives = agenda.now() + wires.way();
        agenda.at(arrives, () -> agenda.at(shards[shardOf(directory)].processors.reserve(nanos) + wires.way(), then));
    }

    /** Commits, there and back. */
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
