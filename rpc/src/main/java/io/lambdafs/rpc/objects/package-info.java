/**
 * Access to object stores by presigned URLs: signers for requests with one key and one method, without the stores'
 * libraries, and the client that sends them.
 */
@NullMarked
package io.lambdafs.rpc.objects;

import org.jspecify.annotations.NullMarked;
