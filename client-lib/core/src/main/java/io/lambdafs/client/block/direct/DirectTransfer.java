package io.lambdafs.client.block.direct;

import io.lambdafs.client.block.BlockCopy;
import io.lambdafs.client.block.BlockReader;
import io.lambdafs.client.block.BlockTransfer;
import io.lambdafs.client.block.BlockWriter;
import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.SignedRequest;

/**
 * Writes and reads the objects of blocks for which it has permission, and leaves other blocks to datanodes.
 * Thread-safe.
 */
public final class DirectTransfer implements BlockTransfer {
    private final ObjectClient objects;
    private final BlockTransfer datanodes;

    /** @param datanodes closed with this */
    public DirectTransfer(ObjectClient objects, BlockTransfer datanodes) {
        this.objects = objects;
        this.datanodes = datanodes;
    }

    @Override
    public BlockWriter write(LocatedBlock target, BlockCopy copy) {
        DirectAccess access = target.direct();
        return access == null
                ? datanodes.write(target, copy)
                : new DirectWriter(objects, target, request(SignedRequest.Method.PUT, access), copy);
    }

    @Override
    public BlockReader read(LocatedBlock source) {
        DirectAccess access = source.direct();
        return access == null
                ? datanodes.read(source)
                : new DirectReader(objects, source, request(SignedRequest.Method.GET, access), access.stored());
    }

    private static SignedRequest request(SignedRequest.Method method, DirectAccess access) {
        return new SignedRequest(method, access.url(), access.headers());
    }

    @Override
    public void close() {
        datanodes.close();
    }
}
