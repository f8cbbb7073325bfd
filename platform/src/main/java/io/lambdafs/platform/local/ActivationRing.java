package io.lambdafs.platform.local;

import io.lambdafs.platform.local.pool.Activation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The last activations, bounded in number and in bytes of results. Thread-safe. */
final class ActivationRing {
    private final int maxRecords;
    private final long maxBytes;
    private final Map<String, Activation> records = new LinkedHashMap<>();
    private long bytes;

    ActivationRing(int maxRecords, long maxBytes) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
    }

    synchronized void add(Activation activation) {
        records.put(activation.id(), activation);
        bytes += activation.result().length;
        Iterator<Activation> oldest = records.values().iterator();
        while (records.size() > maxRecords || bytes > maxBytes) {
            bytes -= oldest.next().result().length;
            oldest.remove();
        }
    }

    synchronized Optional<Activation> get(String id) {
        return Optional.ofNullable(records.get(id));
    }

    /** The newest first. */
    synchronized List<Activation> newest(Predicate<Activation> wanted, int skip, int limit) {
        List<Activation> all = new ArrayList<>(records.values());
        Collections.reverse(all);
        return all.stream().filter(wanted).skip(skip).limit(limit).toList();
    }
}
