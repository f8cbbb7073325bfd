package io.lambdafs.cluster.check;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.gateway.GatewayReach;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.model.FsException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Diagnoses a cluster that runs elsewhere, as far as it is visible from here, without changing anything. Anything
 * invisible is reported as unknown. Stateless.
 */
public final class DistantDoctor {
    private DistantDoctor() {}

    /** Examines the files of a client's directory, and tests whether its gateway can be called. */
    public static List<Finding> examineClient(ClusterDirectory directory) {
        List<Finding> findings = new ArrayList<>(FileChecks.lookAtClient(directory));
        if (Files.exists(directory.client())) {
            findings.add(gateway(directory));
        }
        return findings;
    }

    private static Finding gateway(ClusterDirectory directory) {
        ClientConfig client;
        try {
            client = ClientConfig.load(directory.client());
        } catch (FsException e) {
            return Finding.fault(
                    "client", String.valueOf(e.getMessage()), "no client can be made from it", "deploy again");
        }
        String where = GatewayReach.where(client).toString();
        return GatewayReach.answers(client)
                ? Finding.ok("gateway", where + (client.gatewayProof() ? " serves" : " takes connections"))
                : Finding.fault(
                        "gateway",
                        where + " does not answer",
                        "no function can be called from this machine",
                        "see whether the platform runs, and whether this machine reaches that address");
    }

    /** Examines the store's records of instances, datanodes and blocks. */
    public static List<Finding> examineStore(Supplier<OperatedCluster> cluster) {
        try {
            OperatedCluster found = cluster.get();
            return StoreChecks.look(found);
        } catch (FsException e) {
            return List.of(Finding.unknown("store", String.valueOf(e.getMessage())));
        }
    }
}
