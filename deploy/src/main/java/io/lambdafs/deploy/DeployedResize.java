package io.lambdafs.deploy;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.store.Resizing;
import io.lambdafs.cluster.store.StoreFormat;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.model.Disposition;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.Placement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Changes the number of a platform's functions (PROTOCOL: G4). Confined to one thread. */
final class DeployedResize implements Resizing.Platform {
    private final Platform platform;
    private final FunctionsSpec wanted;
    private final Path directory;
    private final List<Change> changes = new ArrayList<>();

    private DeployedResize(Platform platform, FunctionsSpec wanted, Path directory) {
        this.platform = platform;
        this.wanted = wanted;
        this.directory = directory;
    }

    /**
     * Changes the functions to another number while they serve. After an interruption a repeated call continues: the
     * directory keeps the old plan until all is done.
     *
     * @param directory directory of the cluster, with the old files
     * @throws DeployFailure if the store does not answer, its number cannot be changed, or the platform fails
     */
    static List<Change> run(Platform platform, FunctionsSpec wanted, Path directory) {
        DeployedResize resize = new DeployedResize(platform, wanted, directory);
        try {
            Resizing.run(
                    StoreFormat.of(FunctionConfigReader.parse(
                            wanted.configuration().getBytes(StandardCharsets.UTF_8), wanted.secretFile())),
                    resize,
                    wanted.deployments());
        } catch (FsException e) {
            boolean isFinal = e.code().disposition() == Disposition.FINAL;
            throw new DeployFailure(
                    isFinal ? Problem.Code.CONFIGURATION : Problem.Code.UNREACHABLE,
                    "the number of deployments is changed in the store first: " + e.getMessage()
                            + (isFinal ? "" : "; deploy again where the store answers, which goes on from here"),
                    e);
        }
        return List.copyOf(resize.changes);
    }

    @Override
    public void register(int deployments) {
        changes.addAll(platform.apply(wanted.withDeployments(deployments), false));
    }

    @Override
    public void publish(Placement placement) {
        ClusterFiles.write(directory, wanted, platform.access(wanted), placement.generation());
    }

    @Override
    public void wake() {
        Resizing.wake(ClientConfig.load(ClusterFiles.client(directory)));
    }

    /** Removes only the surplus functions: the others match already. */
    @Override
    public void removeFrom(int deployments) {
        platform.apply(wanted, false).stream()
                .filter(each -> each.kind() != Change.Kind.UNCHANGED)
                .forEach(changes::add);
    }
}
