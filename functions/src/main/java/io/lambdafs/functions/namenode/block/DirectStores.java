package io.lambdafs.functions.namenode.block;

import io.lambdafs.model.block.DirectAccess;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.SignedRequest;
import io.lambdafs.store.block.StoredBlock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** The object stores that clients access directly, by URLs presigned here. Thread-safe. */
public final class DirectStores {
    private final Map<String, ObjectSigner> signers;
    private final Scheduler scheduler;
    private final Deletion deletion;

    /** Sends delete requests. */
    @FunctionalInterface
    public interface Deletion {
        /** Completes once the object no longer exists. */
        CompletionStage<Void> delete(SignedRequest request, String store, String key);
    }

    /** @param signers by block store name */
    public DirectStores(Map<String, ObjectSigner> signers, Scheduler scheduler) {
        this(signers, scheduler, new ObjectClient(scheduler, ObjectClient.SILENCE)::delete);
    }

    public DirectStores(Map<String, ObjectSigner> signers, Scheduler scheduler, Deletion deletion) {
        this.signers = Map.copyOf(signers);
        this.scheduler = scheduler;
        this.deletion = deletion;
    }

    /** Returns an instance without stores. */
    public static DirectStores none(Scheduler scheduler) {
        return new DirectStores(Map.of(), scheduler);
    }

    /** Returns their names in the metadata. */
    public Set<String> names() {
        return signers.keySet();
    }

    boolean has(String store) {
        return signers.containsKey(store);
    }

    /**
     * Returns permission to write a block's object. Only its key, and that it must not exist yet, are enforced; the
     * rest is up to the client, as with {@code completeBlocks}.
     */
    DirectAccess toWrite(StoredBlock allocated) {
        return access(SignedRequest.Method.PUT, allocated);
    }

    DirectAccess toRead(StoredBlock written) {
        return access(SignedRequest.Method.GET, written);
    }

    private DirectAccess access(SignedRequest.Method method, StoredBlock block) {
        SignedRequest signed = sign(method, block.store(), block.key());
        return new DirectAccess(signed.url(), signed.headers(), block.block());
    }

    /** Deletes an object in one of these stores, if it exists. */
    public CompletionStage<Void> delete(String store, String key) {
        return deletion.delete(sign(SignedRequest.Method.DELETE, store, key), store, key);
    }

    private SignedRequest sign(SignedRequest.Method method, String store, String key) {
        ObjectSigner signer = signers.get(store);
        if (signer == null) {
            throw new IllegalArgumentException(store + " is not accessed directly");
        }
        return signer.sign(method, key, scheduler.currentTimeMillis(), BlockPlaces.TOKEN_LIFE);
    }
}
