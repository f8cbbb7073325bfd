package io.lambdafs.datanode.memory;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreContract;

class MemoryBlockStoreTest extends BlockStoreContract {
    private final MemoryBlockStore store = new MemoryBlockStore();

    @Override
    protected BlockStore store() {
        return store;
    }
}
