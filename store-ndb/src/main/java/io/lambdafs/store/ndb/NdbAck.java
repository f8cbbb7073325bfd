package io.lambdafs.store.ndb;

import java.util.Locale;

/** The guarantee that the store's answer gives (PROTOCOL: D9). */
public enum NdbAck {
    /** The commit is in the memory of all replicas. */
    REPLICATED,
    /** It is on the disks of all data nodes, too. */
    CHECKPOINT;

    /** @throws IllegalArgumentException it is neither {@code replicated} nor {@code checkpoint} */
    public static NdbAck of(String name) {
        for (NdbAck each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("ack is replicated or checkpoint, not \"" + name + "\"");
    }
}
