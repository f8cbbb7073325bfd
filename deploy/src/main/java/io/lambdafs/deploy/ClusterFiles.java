package io.lambdafs.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.time.Times;
import io.lambdafs.platform.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Reads and writes the files of a cluster's directory for commands and clients ({@code --dir}). Stateless. */
final class ClusterFiles {
    private static final String CLIENT = "client.json";
    private static final String CLUSTER = "cluster.json";
    private static final String GENERATION = "generation";

    private ClusterFiles() {}

    /** Returns the clients' configuration file. */
    static Path client(Path directory) {
        return directory.resolve(CLIENT);
    }

    /** Refuses the directory of another cluster: a local one, or one of a Helm release. */
    static void demandOwn(Path directory) {
        if (!Files.exists(directory.resolve(Plan.FILE)) && Files.exists(directory.resolve(CLUSTER))) {
            throw new DeployFailure(
                    Problem.Code.NAME_TAKEN,
                    directory + " is the directory of another cluster; name another one with --dir");
        }
    }

    /** Refuses a directory that the files cannot be written to. */
    static void demandWritable(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
            throw new DeployFailure(
                    Problem.fault(
                            Problem.Code.CONFIGURATION,
                            "the clients' files cannot be written to " + directory,
                            "name another directory with --dir"),
                    null);
        }
    }

    /** Returns the last generation of the number of deployments that was written for clients. */
    static int generation(Path directory) {
        try {
            return Json.parseObject(Files.readAllBytes(directory.resolve(CLIENT)))
                    .path(GENERATION)
                    .asInt(Placement.FIRST_GENERATION);
        } catch (IOException | IllegalArgumentException none) {
            // A client without a generation learns it from its first reply.
            return Placement.FIRST_GENERATION;
        }
    }

    /** Writes the files for clients and commands, and the plan. */
    static void write(Path directory, Plan plan, Access access) {
        int generation = generation(directory);
        during(directory, () -> {
            plan.write(directory);
            writeClients(directory, plan.wanted(), access, generation);
        });
    }

    /** Writes the files for clients and commands before the number of deployments changes. */
    static void write(Path directory, FunctionsSpec wanted, Access access, int generation) {
        during(directory, () -> writeClients(directory, wanted, access, generation));
    }

    private static void writeClients(Path directory, FunctionsSpec wanted, Access access, int generation)
            throws IOException {
        write(cluster(wanted), directory.resolve(CLUSTER));
        write(client(wanted, access, generation), directory.resolve(CLIENT));
    }

    /** Steps that write files. */
    private interface Writing {
        void run() throws IOException;
    }

    private static void during(Path directory, Writing writing) {
        try {
            Path parent = directory.toAbsolutePath().getParent();
            if (!Files.isDirectory(directory) && parent != null) {
                Files.createDirectories(parent);
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            writing.run();
        } catch (IOException e) {
            throw FileFaults.of(
                    Problem.Code.CONFIGURATION,
                    "the functions are deployed, but cannot write to " + directory,
                    e,
                    "repeat it with another directory: --dir");
        }
    }

    /** Removes the files; others in the directory stay. */
    static void remove(Path directory) {
        for (String name : List.of(CLIENT, CLUSTER, Plan.FILE)) {
            try {
                Files.deleteIfExists(directory.resolve(name));
            } catch (IOException e) {
                throw FileFaults.of(
                        Problem.Code.CONFIGURATION,
                        "the functions are removed, but not " + directory.resolve(name),
                        e,
                        "remove it");
            }
        }
    }

    private static FunctionConfig parsed(FunctionsSpec wanted) {
        return FunctionConfigReader.parse(wanted.configuration().getBytes(StandardCharsets.UTF_8), wanted.secretFile());
    }

    private static ObjectNode client(FunctionsSpec wanted, Access access, int generation) {
        FunctionConfig config = parsed(wanted);
        ObjectNode tree = Json.object()
                .put("schema", 1)
                .put("api", access.api())
                .put("gateway", access.gateway().toString())
                .put("namespace", access.namespace().isEmpty() ? "_" : access.namespace())
                .put("actionPrefix", wanted.prefix())
                .put("deployments", wanted.deployments())
                .put("transport", config.coordination().transport().label())
                .put("superuser", config.superuser())
                .put("listenTowardsGateway", true);
        if (generation != Placement.FIRST_GENERATION) {
            tree.put(GENERATION, generation);
        }
        if (!config.times().attempt().equals(Times.DEFAULT.attempt())) {
            tree.put("attemptMillis", config.times().attempt().toMillis());
        }
        if (!access.functionUrl().isEmpty()) {
            tree.put("functionUrl", access.functionUrl());
        }
        if (!access.options().isEmpty()) {
            access.options().forEach(tree.putObject("apiOptions")::put);
        }
        if (access.apiKeyFile() != null) {
            tree.put("apiKeyFile", access.apiKeyFile().toAbsolutePath().toString())
                    .put("gatewayProof", access.gatewayProof());
        }
        if (wanted.secretFile() == null) {
            tree.put("insecure", true);
        } else {
            tree.put("secretFile", wanted.secretFile().toString());
        }
        return tree;
    }

    private static ObjectNode cluster(FunctionsSpec wanted) {
        FunctionConfig config = parsed(wanted);
        ObjectNode tree = Json.object()
                .put("fileSystem", config.fileSystem())
                .put("deployments", wanted.deployments())
                .put("superuser", config.superuser());
        tree.putObject("store").put("address", config.endpoints().store());
        tree.putObject("pool").put("memoryMb", wanted.deployments() * wanted.memoryMb());
        config.endpoints()
                .tls()
                .filter(files -> Files.isReadable(files.ca()))
                .ifPresent(files -> files.own()
                        .ifPresent(own -> tree.putObject("tls")
                                .put("enabled", true)
                                .put("ca", files.ca().toString())
                                .put("certificate", own.certificate().toString())
                                .put("key", own.key().toString())));
        tree.putObject("instance")
                .put("memoryMb", wanted.memoryMb())
                .put("cpuShare", config.limits().cpuShare())
                .put("concurrency", wanted.concurrency())
                .put("smallFileLimitBytes", config.limits().smallFileLimitBytes());
        return tree;
    }

    /** Writes a file atomically. */
    static void write(JsonNode tree, Path file) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
