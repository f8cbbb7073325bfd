package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.functions.instance.InstanceJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the argument files for starting a container of the image: {@code java @/app/roles/ROLE}, with a service's
 * configuration file as the last argument. Heaps are shares of the container's memory. Stateless.
 */
public final class ImageRoles {
    private static final String COMMAND_LINE = "io.lambdafs.cli.Main";
    private static final String JARS = "/app/libs/";
    /** Location of the jar of the module that the image builder runs for. */
    private static final String OWN_JAR = "/app/classpath/";

    /** Location of NDB's client in a container of a store on NDB. */
    private static final String NDB = "/ndb";

    private ImageRoles() {}

    /**
     * Writes the files. Arguments: the target directory and the version of the image's Java. This process's class path
     * must be that of the command line.
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        Runtime.Version version = Runtime.Version.parse(arguments[1]);
        String classPath = JavaCommand.classPath();
        for (Map.Entry<String, List<String>> role : roles(
                        version,
                        inImage(classPath),
                        inImage(JavaCommand.functionClassPath()),
                        inImage(JavaCommand.lambdaClassPath()))
                .entrySet()) {
            Files.writeString(directory.resolve(role.getKey()), String.join("\n", role.getValue()) + "\n");
        }
    }

    static Map<String, List<String>> roles(
            Runtime.Version version, String classPath, String functionClassPath, String lambdaClassPath) {
        ClusterSettings settings = ClusterSettings.defaults("lambdafs", Machine.own());
        List<String> common = JavaCommand.common(settings, new Jdk(Path.of("/"), version));
        List<String> serial = List.of("-XX:+UseSerialGC");
        Map<String, List<String>> roles = new LinkedHashMap<>();
        List<String> instance =
                new InstanceJvm(version).options(heap(50), settings.instance().hasPartOfProcessor());
        roles.put("instance", role(common, instance, functionClassPath, InstanceJvm.mainClass()));
        List<String> lambda = new ArrayList<>(common);
        lambda.addAll(instance);
        lambda.addAll(JavaCommand.lambda(lambdaClassPath));
        roles.put("lambda", lambda);
        // The engine's caches and file buffers are outside the heap.
        roles.put("store", role(common, serial, heap(40), classPath, "io.lambdafs.store.embedded.server.StoreMain"));
        roles.put(
                "store-postgres",
                role(common, serial, heap(40), classPath, "io.lambdafs.store.sql.server.SqlStoreMain"));
        List<String> withNdb = new ArrayList<>(common);
        withNdb.add("-Djava.library.path=" + NDB);
        roles.put(
                "store-ndb",
                role(withNdb, serial, heap(40), classPath + ":" + NDB + "/clusterj.jar", Service.NDB_STORE));
        roles.put("datanode", role(common, serial, heap(50), classPath, "io.lambdafs.datanode.DatanodeMain"));
        roles.put(
                "gateway",
                role(common, serial, heap(60), classPath, "io.lambdafs.platform.kubernetes.KubernetesGatewayMain"));
        roles.put("door-hdfs", role(common, serial, heap(50), classPath, "io.lambdafs.door.hdfs.HdfsDoorMain"));
        roles.put(
                "door-webhdfs", role(common, serial, heap(50), classPath, "io.lambdafs.door.hdfs.web.WebHdfsDoorMain"));
        roles.put("door-s3", role(common, serial, heap(50), classPath, "io.lambdafs.door.s3.S3DoorMain"));
        roles.put("lambdafs", role(common, serial, heap(60), classPath, COMMAND_LINE));
        return roles;
    }

    private static String heap(int percent) {
        return "-XX:MaxRAMPercentage=" + percent;
    }

    private static List<String> role(
            List<String> common, List<String> collector, String heap, String classPath, String mainClass) {
        List<String> options = new ArrayList<>(collector);
        options.add(heap);
        return role(common, options, classPath, mainClass);
    }

    private static List<String> role(List<String> common, List<String> options, String classPath, String mainClass) {
        List<String> lines = new ArrayList<>(common);
        lines.addAll(options);
        lines.addAll(List.of("-cp", classPath, mainClass));
        return lines;
    }

    /** Returns a class path with the jars' locations in the image. */
    private static String inImage(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(part -> String.valueOf(Path.of(part).getFileName()))
                .map(jar -> (jar.startsWith("lambdafs-cli-") ? OWN_JAR : JARS) + jar)
                .collect(Collectors.joining(":"));
    }
}
