package io.lambdafs.store.memory;

import io.lambdafs.model.time.Scheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.MetadataStoreContract;
import io.lambdafs.store.engine.StoreLimits;

class MemoryStoreTest extends MetadataStoreContract {
    @Override
    protected MetadataStore open(Scheduler scheduler, StoreLimits limits) {
        return new MemoryStore(scheduler, limits);
    }
}
