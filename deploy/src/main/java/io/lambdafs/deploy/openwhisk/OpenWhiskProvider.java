package io.lambdafs.deploy.openwhisk;

import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.FileFaults;
import io.lambdafs.deploy.Platform;
import io.lambdafs.deploy.PlatformProvider;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.http.HttpClient;
import io.lambdafs.rpc.tls.Tls;
import io.lambdafs.rpc.tls.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** {@code --platform openwhisk}. Stateless. */
public final class OpenWhiskProvider implements PlatformProvider {
    /** The actions' kind: {@code blackbox} by default, {@code java:namenode} for λFS's own gateway. */
    static final String KIND = "kind";
    /** {@code true}: the platform must prove that it knows the key before receiving it, as λFS's own gateway can. */
    static final String PROOF = "proof";
    /** PEM file with the CA of the platform's certificate; by default, the JVM's CAs. */
    static final String CA = "ca";
    /** {@code false}: the first function is not called once to see whether its container starts. */
    static final String PROBE = "probe";

    @Override
    public String name() {
        return "openwhisk";
    }

    @Override
    public Set<String> options() {
        return Set.of(KIND, PROOF, CA, PROBE);
    }

    @Override
    public Platform open(Target target) {
        URI host = target.apiHost();
        Path keyFile = target.authFile();
        if (host == null || keyFile == null) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "OpenWhisk needs its address and a key: give --apihost URL, and --auth-file with a file that holds user:password");
        }
        if (host.getScheme() == null || host.getHost() == null) {
            throw new DeployFailure(
                    Problem.Code.CONFIGURATION,
                    "--apihost must be a URL such as https://openwhisk.example.com, not " + host);
        }
        try {
            Optional<Tls> tls = target.options().containsKey(CA)
                    ? Optional.of(Tls.of(TlsFiles.ofUser(Path.of(target.option(CA, "")))))
                    : Optional.empty();
            return new OpenWhiskPlatform(target, host, ApiKey.fromFile(keyFile), new HttpClient(Runnable::run, tls));
        } catch (IOException e) {
            throw FileFaults.of(
                    Problem.Code.CREDENTIALS, "cannot read the platform's key", e, "name its file with --auth-file");
        }
    }
}
