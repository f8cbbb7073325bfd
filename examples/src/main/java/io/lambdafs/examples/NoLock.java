package io.lambdafs.examples;

import java.util.Map;
import org.apache.iceberg.LockManager;

/** Locks nothing, like Iceberg's in-memory lock between processes on two machines. Stateless. */
public final class NoLock implements LockManager {
    /** Called by Iceberg. */
    public NoLock() {}

    @Override
    public boolean acquire(String entity, String owner) {
        return true;
    }

    @Override
    public boolean release(String entity, String owner) {
        return true;
    }

    @Override
    public void initialize(Map<String, String> properties) {}

    @Override
    public void close() {}
}
