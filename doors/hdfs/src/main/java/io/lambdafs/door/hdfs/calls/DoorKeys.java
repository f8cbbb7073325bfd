package io.lambdafs.door.hdfs.calls;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Path;

/** The keys that the doors of a cluster have in common, derived from its secret. Immutable. */
public final class DoorKeys {
    private final Secret secret;

    private DoorKeys(Secret secret) {
        this.secret = secret;
    }

    /**
     * Returns the keys of a cluster.
     *
     * @param cluster the directory with its {@code client.json}
     * @throws IllegalArgumentException if the file gives a token: a door acts for many users, by the secret
     */
    public static DoorKeys of(Path cluster) {
        ClientConfig client = ClientConfig.load(cluster.resolve("client.json"));
        if (client.token() != null) {
            throw new IllegalArgumentException(cluster
                    + " has a token for one user: a door acts for each of its users, and needs the cluster's secret");
        }
        Secret secret = client.secret();
        // An insecure cluster has none: then no other door serves the blocks that this one has shown.
        return new DoorKeys(secret == null ? Secret.generate() : secret);
    }

    public BlockSeals blocks() {
        return new BlockSeals(secret.derived("block tokens of the hdfs door"));
    }

    public CallIds calls() {
        return new CallIds(secret.derived("request ids of the hdfs door"));
    }
}
