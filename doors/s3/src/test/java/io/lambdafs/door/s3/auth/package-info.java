/** Tests of access keys and signatures. */
package io.lambdafs.door.s3.auth;
