package io.lambdafs.door.s3;

import io.lambdafs.rpc.ServiceMain;

/**
 * A door for S3's REST API as a process. Its single argument is a JSON file with {@link S3DoorConfig}'s keys. Exit codes: 143
 * ended by SIGTERM, 2 wrong usage or configuration, 3 an address or file that cannot be had.
 */
public final class S3DoorMain {
    private S3DoorMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(S3DoorMain.class, arguments, file -> S3Door.start(S3DoorConfig.load(file))::close);
    }
}
