/**
 * The users of a mount: accounts of this machine, and a client for each.
 */
@NullMarked
package io.lambdafs.door.mount.users;

import org.jspecify.annotations.NullMarked;
