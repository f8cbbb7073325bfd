package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Problem;
import io.lambdafs.lambda.NameNodeHandler;
import io.lambdafs.model.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Builds a function's code package for Lambda's managed runtimes: a ZIP with the jars that the handler's jar names,
 * from this process's class path, in {@code lib}. The same jars give the same bytes. Stateless.
 */
final class FunctionPackage {
    /** Jars that Lambda's runtime contains. */
    private static final Set<String> OF_THE_RUNTIME =
            Set.of("aws-lambda-java-runtime-interface-client", "aws-lambda-java-serialization");
    /** Lambda's limit of code sent with the request. */
    private static final long MAX_BYTES = 50L << 20;

    private FunctionPackage() {}

    static byte[] zip() {
        try {
            Path handler = Path.of(NameNodeHandler.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (!Files.isRegularFile(handler)) {
                throw new DeployFailure(
                        Problem.Code.MISSING_PART,
                        "the function's classes are in " + handler + " and in no jar: build them with mvn package");
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            write(jars(handler), out);
            if (out.size() > MAX_BYTES) {
                throw new DeployFailure(
                        Problem.Code.QUOTA,
                        "the function's jars are " + out.size() + " bytes, Lambda takes " + MAX_BYTES);
            }
            return out.toByteArray();
        } catch (IOException | URISyntaxException e) {
            throw new DeployFailure(Problem.Code.MISSING_PART, "cannot pack the function's jars: " + e.getMessage(), e);
        }
    }

    /** Returns the digest in the form that Lambda reports for its code. */
    static String sha256(byte[] zip) {
        return Base64.getEncoder().encodeToString(Sha256.of(zip));
    }

    private static List<Path> jars(Path handler) throws IOException {
        Set<String> wanted = new HashSet<>();
        try (JarFile jar = new JarFile(handler.toFile())) {
            String named = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String name : (named == null ? "" : named).split(" ", -1)) {
                wanted.add(artifact(Path.of(name)));
            }
        }
        wanted.add(artifact(handler));
        wanted.removeAll(OF_THE_RUNTIME);
        List<Path> jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(part -> part.toString().endsWith(".jar") && wanted.contains(artifact(part)))
                .distinct()
                .toList();
        Set<String> found = new HashSet<>();
        jars.forEach(jar -> found.add(artifact(jar)));
        wanted.removeAll(found);
        if (!wanted.isEmpty()) {
            throw new IOException("this program's class path has no " + String.join(", ", wanted));
        }
        return jars;
    }

    private static String artifact(Path jar) {
        return String.valueOf(jar.getFileName()).replaceFirst("-[0-9].*", "");
    }

    private static void write(List<Path> jars, ByteArrayOutputStream out) throws IOException {
        TreeMap<String, byte[]> sorted = new TreeMap<>();
        for (Path jar : jars) {
            sorted.put("lib/" + jar.getFileName(), Files.readAllBytes(jar));
        }
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (var each : sorted.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(each.getValue().length);
                CRC32 crc = new CRC32();
                crc.update(each.getValue());
                entry.setCrc(crc.getValue());
                // 1980, the earliest time in a ZIP.
                entry.setTimeLocal(java.time.LocalDateTime.of(1980, 1, 1, 0, 0));
                zip.putNextEntry(entry);
                zip.write(each.getValue());
                zip.closeEntry();
            }
        }
    }
}
