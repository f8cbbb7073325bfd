package io.lambdafs.cluster.secure;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** A cluster's secret, keys, passwords and certificates in its directory. Stateless. */
public final class ClusterSecrets {
    private ClusterSecrets() {}

    /**
     * Creates what is missing.
     *
     * @throws CommandFailure if there are metadata whose secret is lost, or a file cannot be used
     */
    public static void ensure(ClusterDirectory directory, ClusterSettings settings) {
        if (!settings.insecure()) {
            demandSecretOfData(directory);
            Secret.loadOrCreate(directory.secret());
        }
        try {
            if (settings.store().hasOwnPostgres() && !Files.exists(directory.databasePassword())) {
                ApiKey.random(new SecureRandom()).writeTo(directory.databasePassword());
            }
            for (Path file : List.of(directory.apiKey(), directory.managementKey())) {
                if (Files.exists(file)) {
                    ApiKey.fromFile(file);
                } else {
                    ApiKey.random(new SecureRandom()).writeTo(file);
                }
            }
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot use the gateway's keys in " + directory, e);
        }
    }

    private static void demandSecretOfData(ClusterDirectory directory) {
        Path data = directory.data("store");
        boolean hasData = Files.exists(data.resolve("CURRENT")) || Files.exists(data.resolve("data"));
        if (hasData && !Files.exists(directory.secret())) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    ErrorCode.UNAVAILABLE,
                    "the cluster in " + directory + " has data and no secret: put the file " + directory.secret()
                            + " back, or start from an empty directory");
        }
    }

    /** Creates missing certificates, unless others are configured; running services reload new ones by themselves. */
    public static void ensureCertificates(ClusterDirectory directory, ClusterSettings settings) {
        if (settings.tls().enabled() && settings.tls().isOwn()) {
            Certificates.ensure(directory.tls(), settings.listen());
        }
    }
}
