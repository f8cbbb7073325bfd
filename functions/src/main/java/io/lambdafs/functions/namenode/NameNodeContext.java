package io.lambdafs.functions.namenode;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.SessionListener;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.block.DirectStores;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.store.MetadataStore;
import java.util.function.Function;

/**
 * The dependencies of a NameNode. The caller owns store, trie and scheduler; the NameNode owns the session.
 *
 * @param deployment 0-based number of this instance's deployment
 * @param session creates the session for a listener
 */
public record NameNodeContext(
        int deployment,
        NameNodeSettings settings,
        MetadataStore store,
        PathTrie trie,
        InFlight inFlight,
        Scheduler scheduler,
        Function<SessionListener, InstanceSession> session,
        Telemetry telemetry,
        BlockTokens blockTokens,
        DirectStores directStores) {
    /** A context in which all block I/O goes through datanodes. */
    public NameNodeContext(
            int deployment,
            NameNodeSettings settings,
            MetadataStore store,
            PathTrie trie,
            InFlight inFlight,
            Scheduler scheduler,
            Function<SessionListener, InstanceSession> session,
            Telemetry telemetry,
            BlockTokens blockTokens) {
        this(
                deployment,
                settings,
                store,
                trie,
                inFlight,
                scheduler,
                session,
                telemetry,
                blockTokens,
                DirectStores.none(scheduler));
    }

    public NameNodeContext withStore(MetadataStore other) {
        return new NameNodeContext(
                deployment, settings, other, trie, inFlight, scheduler, session, telemetry, blockTokens, directStores);
    }
}
