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

/** Holds a bounded number of the last activations, without their results. Thread-safe. */
final class ActivationRing {
    private final int maxRecords;
    private final Map<String, Activation> records = new LinkedHashMap<>();

    ActivationRing(int maxRecords) {
        this.maxRecords = maxRecords;
    }

    synchronized void add(Activation activation) {
        records.put(activation.id(), activation.withoutResult());
        Iterator<Activation> oldest = records.values().iterator();
        while (records.size() > maxRecords) {
            oldest.next();
            oldest.remove();
        }
    }

    synchronized Optional<Activation> get(String id) {
        return Optional.ofNullable(records.get(id));
    }

    /** Returns matching activations, newest first. */
    synchronized List<Activation> newest(Predicate<Activation> wanted, int skip, int limit) {
        List<Activation> all = new ArrayList<>(records.values());
        Collections.reverse(all);
        return all.stream().filter(wanted).skip(skip).limit(limit).toList();
    }
}
